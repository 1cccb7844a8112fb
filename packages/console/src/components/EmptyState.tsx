import type { ComponentChildren } from "preact"
import { CopyButton } from "./CopyButton.js"

interface EmptyStateProps {
  readonly title: string
  /** What to do next. */
  readonly text: string
  /** A command that creates the first item. */
  readonly command?: string
  readonly children?: ComponentChildren
}

/** Says why a view has no content, and what to do next. */
export const EmptyState = ({ children, command, text, title }: EmptyStateProps) => (
  <section class="empty">
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
    {command !== undefined && (
      <div class="command">
        <pre>{command}</pre>
        <CopyButton text={command} label="Copy the command" />
      </div>
    )}
  </section>
)
