import type { Permission } from "@switchboard/domain/apiKeys/Permission"
import type { ComponentType } from "preact"
import type { IconName } from "../components/Icon.js"
import { urlOf } from "./Location.js"
import { matchPath, type PathParams, pathWith } from "./PathPattern.js"

/** The props of a view: the parameters of its path. */
export interface ViewProps<Path extends string> {
  readonly params: PathParams<Path>
}

/** The entry of a view in the navigation. */
export interface NavigationEntry {
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
  /** A method, so that views of all paths have one type. */
  load(): Promise<{ readonly default: ComponentType<ViewProps<Path>> }>
}

/** Declares a view; infers its path, so that links and parameters are typed. */
export const defineView = <const Path extends string>(view: View<Path>): View<Path> => view

/** The parameters of a view if the path is its. */
export const matchView = <Path extends string>(view: View<Path>, path: string): PathParams<Path> | undefined =>
  matchPath(view.path, path)

/** The URL of a view. */
export const linkTo = <Path extends string>(
  view: View<Path>,
  params: PathParams<Path>,
  query?: Readonly<Record<string, string | undefined>>
): string => urlOf(pathWith(view.path, params), query)
