import type { ComponentChildren } from "preact"
import { EmptyState } from "./EmptyState.js"
import type { OpenList } from "./Feed.js"
import { FeedList } from "./FeedList.js"
import { idOf, type Resource, type Resources, useResources } from "./UseResources.js"
import { ViewHeader, type ViewHeaderProps } from "./ViewHeader.js"

interface ListViewProps<Filters extends object, Item extends Resource> extends Pick<ViewHeaderProps, "back"> {
  /** The heading, also the label of the list. */
  readonly title: string
  /** The name of one item: `domain`. */
  readonly noun: string
  /** The conditions of the list, from the URL. */
  readonly filters: Filters
  readonly open: OpenList<Item>
  /** The types of the events that refresh the list. */
  readonly events?: ReadonlyArray<string>
  /** The class with the columns of the list (`--columns`). */
  readonly columns: string
  /** The headings of the columns. */
  readonly headings?: ReadonlyArray<string>
  /** The view that a row opens. Without it, rows can have buttons. */
  readonly hrefOf?: (item: Item) => string
  readonly row: (item: Item, list: Resources<Item>) => ComponentChildren
  /** Shown for an empty list without filters: what to do next, and the command that does it. */
  readonly empty: { readonly title?: string; readonly text: string; readonly command?: string }
  readonly actions?: (list: Resources<Item>) => ComponentChildren
  /** The fields of the filters. */
  readonly children?: ComponentChildren
}

const noEvents: ReadonlyArray<string> = []

/** A view with a list of resources, newest first: heading with actions, filters, rows. Events keep it up to date. */
export const ListView = <Filters extends object, Item extends Resource>({
  actions,
  back,
  children,
  columns,
  empty,
  events = noEvents,
  filters,
  headings,
  hrefOf,
  noun,
  open,
  row,
  title
}: ListViewProps<Filters, Item>) => {
  const key = JSON.stringify(filters)
  const list = useResources(key, open, events)
  return (
    <>
      <ViewHeader title={title} {...(back === undefined ? {} : { back })}>
        {actions?.(list)}
      </ViewHeader>
      {children !== undefined && <search class="filters">{children}</search>}
      <FeedList
        label={title}
        columns={columns}
        feed={list.feed}
        keyOf={idOf}
        {...(headings === undefined ? {} : { headings })}
        {...(hrefOf === undefined ? {} : { hrefOf })}
        row={(item) => row(item, list)}
        empty={
          key === "{}" ? (
            <EmptyState title={`No ${noun}s yet`} {...empty} />
          ) : (
            <EmptyState title={`No ${noun} matches`} text="Change the filters, or remove them." />
          )
        }
      />
    </>
  )
}
