import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { ErrorNotice } from "./ErrorNotice.js"
import type { Feed } from "./Feed.js"
import { useVisibleRows } from "./UseVisibleRows.js"

interface FeedListProps<Item> {
  /** The name of the list for screen readers. */
  readonly label: string
  readonly feed: Feed<Item>
  readonly keyOf: (item: Item) => string
  /** The view that a row opens. Without it, rows are no links and can have buttons. */
  readonly hrefOf?: (item: Item) => string
  /** The cells of a row; their columns are those of the class. */
  readonly row: (item: Item) => ComponentChildren
  /** The class with the columns of the list (`--columns`). */
  readonly columns: string
  /** The headings of the columns. */
  readonly headings?: ReadonlyArray<string>
  /** Shown when the list has no items. */
  readonly empty: ComponentChildren
}

/** How many rows before the end the next items are loaded. */
const loadAhead = 20

/**
 * A list of rows. Only the rows in sight are part of the page, so that it stays fast with many thousands of
 * items. More items are loaded when the end comes into sight.
 */
export const FeedList = <Item,>({ columns, empty, feed, headings, hrefOf, keyOf, label, row }: FeedListProps<Item>) => {
  const items = feed.items.value
  const state = feed.state.value
  const { first, last, list, rowHeight } = useVisibleRows(items.length)
  useEffect(() => {
    if (state._tag === "More" && last > items.length - loadAhead) void feed.loadMore()
  }, [feed, last, items.length, state])
  if (items.length === 0 && state._tag === "End") return <>{empty}</>
  return (
    <>
      {headings !== undefined && (
        // Screen readers read each row as a link with its texts.
        <div class={`headings rows ${columns}`} aria-hidden="true">
          {headings.map((heading) => (
            <span key={heading}>{heading}</span>
          ))}
        </div>
      )}
      <ul
        ref={list}
        class={`rows ${columns}`}
        aria-label={label}
        aria-busy={state._tag === "Loading"}
        style={{ height: `${items.length * rowHeight}px` }}
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
