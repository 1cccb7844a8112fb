import type { Permission } from "@switchboard/domain/apiKeys/Permission"
import type { JSX } from "preact"
import type { IconName } from "../components/Icon.js"
import { matchPath, type PathParams } from "./PathPattern.js"

/** The props of a view: the parameters of its path. */
export interface ViewProps<Path extends string> {
  readonly params: PathParams<Path>
}

/** The component of a view. Its type is taken from a method, so that views of all paths have one type. */
export type ViewComponent<Path extends string> = { show(props: ViewProps<Path>): JSX.Element | null }["show"]

/** The groups of the navigation, in their order. */
export const navigationGroups = ["Messages", "E-mail", "Organization", "Operation", "Voice"] as const

/** The entry of a view in the navigation. */
export interface NavigationEntry {
  readonly group: (typeof navigationGroups)[number]
  readonly label: string
  readonly icon: IconName
}

/** A view of the console. Its component is loaded when it is first shown. */
export interface View<Path extends string = string> {
  /** The path with its parameters: `/messages/:id`. */
  readonly path: Path
  /** The permission without which the view is neither linked nor shown. */
  readonly permission?: Permission
  readonly navigation?: NavigationEntry
  readonly load: () => Promise<{ readonly default: ViewComponent<Path> }>
}

/** Declares a view; infers its path, so that links and parameters are typed. */
export const defineView = <const Path extends string>(view: View<Path>): View<Path> => view

/** The parameters of a view if the path is its. */
export const matchView = <Path extends string>(view: View<Path>, path: string): PathParams<Path> | undefined =>
  matchPath(view.path, path)
