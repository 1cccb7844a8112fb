import type { ComponentChildren } from "preact"

interface ScrollRegionProps {
  /** The name of the region for screen readers. */
  readonly label: string
  /** The class that makes it scroll. */
  readonly class: string
  readonly children: ComponentChildren
}

/** A region that scrolls its content, also by keyboard. */
export const ScrollRegion = ({ children, class: className, label }: ScrollRegionProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region needs the focus to scroll by keyboard.
  <section class={className} aria-label={label} tabIndex={0}>
    {children}
  </section>
)
