import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { Button } from "./Actions.js"
import type { Feed } from "./Feed.js"
import { ErrorNotice } from "./Notices.js"

/** How many rows are rendered above and below those in sight. */
const overscan = 12

/** The custom property with the height of a row in pixels; it differs between wide and narrow pages. */
const heightOf = (list: Element): number => Number.parseFloat(getComputedStyle(list).getPropertyValue("--row-height"))

/** The rows of a list that are in sight when the page is scrolled. All rows have one height. */
const useVisibleRows = (count: number) => {
  const list = useRef<HTMLUListElement>(null)
  const [{ first, last, rowHeight }, setVisible] = useState({ first: 0, last: 2 * overscan, rowHeight: 0 })

  const measure = () => {
    if (list.current === null) return
    const height = heightOf(list.current)
    const above = -list.current.getBoundingClientRect().top / height
    const next = {
      first: Math.max(0, Math.min(count, Math.floor(above)) - overscan),
      last: Math.min(count, Math.max(0, Math.ceil(above + innerHeight / height)) + overscan),
      rowHeight: height
    }
    setVisible((current) =>
      current.first === next.first && current.last === next.last && current.rowHeight === next.rowHeight
        ? current
        : next
    )
  }

  useLayoutEffect(measure, [count])
  useEffect(() => {
    addEventListener("scroll", measure, { passive: true })
    addEventListener("resize", measure)
    return () => {
      removeEventListener("scroll", measure)
      removeEventListener("resize", measure)
    }
  })
  return { list, first, last, rowHeight }
}

/** The headings of columns with their widths: a fraction, or as in CSS. */
type Columns = Readonly<Record<string, number | string>>

const widthOf = (width: number | string) => (typeof width === "number" ? `minmax(0, ${width}fr)` : width)

export interface FeedListProps<Item> {
  /** The name of the list for screen readers. */
  readonly label: string
  readonly feed: Feed<Item>
  readonly keyOf: (item: Item) => string
  /** The view that a row opens. Without it, rows are no links and can have buttons. */
  readonly hrefOf?: ((item: Item) => string) | undefined
  /** The cells of a row. */
  readonly row: (item: Item) => ComponentChildren
  /** The class with the layout of a row on narrow pages. */
  readonly layout: string
  /** Without it, the layout has columns, and they have no headings. */
  readonly columns?: Columns | undefined
  /** Shown when the list has no items. */
  readonly empty: ComponentChildren
}

/** How many rows before the end the next items are loaded. */
const loadAhead = 20

/**
 * A list of rows. Only the rows in sight are part of the page, so that it stays fast with many thousands of
 * items. More items are loaded when the end comes into sight.
 */
export const FeedList = <Item,>({
  columns = {},
  empty,
  feed,
  hrefOf,
  keyOf,
  label,
  layout,
  row
}: FeedListProps<Item>) => {
  const headings = Object.keys(columns)
  const wide = headings.length === 0 ? {} : { "--wide": Object.values(columns).map(widthOf).join(" ") }
  const items = feed.items.value
  const state = feed.state.value
  const { first, last, list, rowHeight } = useVisibleRows(items.length)
  useEffect(() => {
    if (state._tag === "More" && last > items.length - loadAhead) void feed.loadMore()
  }, [feed, last, items.length, state])
  if (items.length === 0 && state._tag === "End") return <>{empty}</>
  return (
    <>
      {headings.length > 0 && (
        // Screen readers read each row as a link with its texts.
        <div class={`headings rows ${layout}`} style={wide} aria-hidden="true">
          {headings.map((heading) => (
            <span key={heading}>{heading}</span>
          ))}
        </div>
      )}
      <ul
        ref={list}
        class={`rows ${layout}`}
        aria-label={label}
        aria-busy={state._tag === "Loading"}
        style={{ ...wide, height: `${items.length * rowHeight}px` }}
      >
        {items.slice(first, last).map((item, index) => (
          <li
            key={keyOf(item)}
            aria-setsize={state._tag === "End" ? items.length : -1}
            aria-posinset={first + index + 1}
            style={{ transform: `translateY(${(first + index) * rowHeight}px)` }}
          >
            {hrefOf === undefined ? <div>{row(item)}</div> : <a href={hrefOf(item)}>{row(item)}</a>}
          </li>
        ))}
      </ul>
      {state._tag === "Failed" && <ErrorNotice error={state.error} retry={() => void feed.loadMore()} />}
      {state._tag === "Loading" && <p class="loading" role="status" aria-label="Loading" />}
    </>
  )
}

/** Below the items of a feed: a button that loads more, or the state of the load. */
export const LoadMore = <Item,>({ feed }: { readonly feed: Feed<Item> }) => {
  const state = feed.state.value
  const loadMore = () => void feed.loadMore()
  switch (state._tag) {
    case "Loading":
      return <p class="loading" role="status" aria-label="Loading" />
    case "More":
      return <Button label="Show more" press={loadMore} />
    case "Failed":
      return <ErrorNotice error={state.error} retry={loadMore} />
    case "End":
      return null
  }
}
