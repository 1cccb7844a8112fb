import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { hasNavigated } from "../app/Location.js"
import { Icon } from "./Icon.js"

/** Sets the title of the page. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Switchboard`
  }, [title])
}

/** The list that a view belongs to. */
export interface Back {
  readonly href: string
  readonly label: string
}

interface ViewHeaderProps {
  readonly title: string
  readonly back?: Back | undefined
  /** The actions of the view. */
  readonly children?: ComponentChildren
}

/** The heading of a view. It gets the focus after a navigation, so that screen readers read out the new view. */
export const ViewHeader = ({ back, children, title }: ViewHeaderProps) => {
  useTitle(title)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasNavigated.peek()) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div class="view-header">
      {back !== undefined && (
        <a class="back" href={back.href}>
          <Icon name="back" />
          {back.label}
        </a>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <div class="actions">{children}</div>
    </div>
  )
}

interface Loaded<T> {
  readonly value?: T
  readonly error?: unknown
}

/** Loads a value, and again when a dependency changes. The last value stays until the next one has arrived. */
export const useLoad = <T,>(load: (signal: AbortSignal) => Promise<T>, dependencies: ReadonlyArray<unknown>) => {
  const [loaded, setLoaded] = useState<Loaded<T>>({})
  const [round, setRound] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    load(controller.signal).then(
      (value) => !controller.signal.aborted && setLoaded({ value }),
      (error: unknown) => !controller.signal.aborted && setLoaded({ error })
    )
    return () => controller.abort()
  }, [...dependencies, round])
  return {
    ...loaded,
    /** Loads again. */
    reload: () => setRound((count) => count + 1),
    /** Replaces the value, for example by the response of an action. */
    replace: (value: T) => setLoaded({ value })
  }
}

/** How long a value must stay the same, in milliseconds. */
const quietTime = 300

/** The value after it has not changed for a moment: for requests while a person types. */
export const useDebounced = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietTime)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
