import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { hasNavigated } from "../app/Location.js"
import { Icon } from "./Icon.js"
import { useTitle } from "./UseTitle.js"

export interface ViewHeaderProps {
  readonly title: string
  /** The list that the view belongs to. */
  readonly back?: { readonly href: string; readonly label: string }
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
