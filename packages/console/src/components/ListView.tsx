import type { ComponentChildren } from "preact"
import { useEvents, useLatest } from "../app/LiveEvents.js"
import { changeQuery, place } from "../app/Location.js"
import { type Feed, feedStep, type OpenList, useFeed } from "./Feed.js"
import { FeedList, type FeedListProps } from "./FeedList.js"
import { Icon } from "./Icon.js"
import { curlCommand, EmptyState } from "./Notices.js"
import { type Back, ViewHeader } from "./View.js"

interface ChoiceFilterProps {
  /** The query parameter of the URL. */
  readonly name: string
  readonly label: string
  readonly values: ReadonlyArray<string>
}

/** A filter of a list by one of several values. It is a part of the URL. */
export const ChoiceFilter = ({ label, name, values }: ChoiceFilterProps) => (
  <select
    aria-label={label}
    value={place.value.query.get(name) ?? ""}
    onChange={(event) => changeQuery({ [name]: event.currentTarget.value })}
  >
    <option value="">{label}: all</option>
    {values.map((value) => (
      <option key={value} value={value}>
        {value.replaceAll("_", " ")}
      </option>
    ))}
  </select>
)

/** The search of a list: the query parameter `search` of the URL. The key `/` moves the focus to it. */
export const SearchFilter = ({ label, placeholder }: { readonly label: string; readonly placeholder: string }) => (
  <div class="search">
    <Icon name="search" />
    <input
      type="search"
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={placeholder}
      value={place.value.query.get("search") ?? ""}
      onInput={(event) => changeQuery({ search: event.currentTarget.value })}
    />
  </div>
)

/** A filter of a list by a tag. It is a part of the URL. */
export const TagFilter = () => (
  <input
    class="tag-filter"
    type="search"
    aria-label="Tag"
    placeholder="Tag"
    value={place.value.query.get("tag") ?? ""}
    onInput={(event) => changeQuery({ tag: event.currentTarget.value })}
  />
)

interface DateFilterProps {
  readonly label: string
  readonly name: "from" | "to"
  /** A parameter that the date replaces. */
  readonly replaces?: string
}

/** A filter by a day in the zone of the browser. It is a part of the URL. */
export const DateFilter = ({ label, name, replaces = name }: DateFilterProps) => (
  <label class="date-input">
    <span>{label}</span>
    <input
      type="date"
      value={place.value.query.get(name) ?? ""}
      onChange={(event) => changeQuery({ [replaces]: undefined, [name]: event.currentTarget.value })}
    />
  </label>
)

/** The text of a filter in the URL; undefined if there is none. */
export const filterText = (name: string): string | undefined => place.value.query.get(name)?.trim() || undefined

/** The choice of a filter in the URL; undefined for other values. */
export const filterChoice = <Value extends string>(name: string, values: ReadonlyArray<Value>): Value | undefined =>
  values.find((value) => value === place.value.query.get(name))

interface Resource {
  readonly id: string
}

export const idOf = ({ id }: Resource): string => id

/** The first items of a list. */
export const firstOf = async <Item,>(
  open: OpenList<Item>,
  signal = new AbortController().signal
): Promise<ReadonlyArray<Item>> => {
  const items: Array<Item> = []
  for await (const item of open(signal)) {
    items.push(item)
    if (items.length === feedStep) break
  }
  return items
}

interface Resources<Item> {
  readonly feed: Feed<Item>
  /** Loads the first items again. */
  readonly refresh: () => void
}

/**
 * A list of resources, newest first. Events of these types refresh it; an event whose type ends with `.deleted` removes
 * its resource. Another `key` opens the list anew.
 */
export const useResources = <Item extends Resource>(
  key: string,
  open: OpenList<Item>,
  events: ReadonlyArray<string>
): Resources<Item> => {
  const feed = useFeed(key, idOf, open)
  const refresh = useLatest(async () => feed.update(await firstOf(open)))
  useEvents(events, (event) => {
    const deleted =
      event.type !== "unknown" && event.type.endsWith(".deleted") && "id" in event.data ? event.data.id : undefined
    if (deleted !== undefined && feed.items.peek().some(({ id }) => id === deleted)) feed.remove(deleted)
    else refresh()
  })
  return { feed, refresh }
}

interface ListViewProps<Filters extends object, Item extends Resource>
  extends Pick<FeedListProps<Item>, "layout" | "columns" | "hrefOf"> {
  /** The heading, also the label of the list. */
  readonly title: string
  /** The name of one item: `domain`. */
  readonly noun: string
  readonly back?: Back
  /** What the search finds by: `Find by name`. Without it there is no search. */
  readonly search?: string
  /** Whether there is a field for a tag. */
  readonly hasTag?: boolean
  /** The values of the other filters, by their names in the URL. */
  readonly choices?: Readonly<Record<string, ReadonlyArray<string>>>
  /** The conditions of the list, from the URL. */
  readonly filters: () => Filters
  readonly open: (filters: Filters, signal: AbortSignal) => ReturnType<OpenList<Item>>
  /** The types of the events that refresh the list. */
  readonly events?: ReadonlyArray<string>
  readonly row: (item: Item, list: Resources<Item>) => ComponentChildren
  /** Shown for an empty list without filters: a title, and what to do next. */
  readonly emptyTitle?: string
  readonly empty: string
  /** The path and the body of a request that creates the first item. */
  readonly example?: Parameters<typeof curlCommand>
  readonly actions?: (list: Resources<Item>) => ComponentChildren
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const noEvents: ReadonlyArray<string> = []

/** A view with a list of resources, newest first: heading with actions, filters, rows. Events keep it up to date. */
export const ListView = <Filters extends object, Item extends Resource>(props: ListViewProps<Filters, Item>) => {
  const {
    back,
    choices = {},
    columns,
    empty,
    example,
    hasTag = false,
    hrefOf,
    layout,
    noun,
    row,
    search,
    title
  } = props
  const { emptyTitle = `No ${noun}s yet` } = props
  const filters = props.filters()
  const key = JSON.stringify(filters)
  const list = useResources(key, (signal) => props.open(filters, signal), props.events ?? noEvents)
  const choiceNames = Object.keys(choices)
  return (
    <>
      <ViewHeader title={title} back={back}>
        {props.actions?.(list)}
      </ViewHeader>
      {(search !== undefined || choiceNames.length > 0) && (
        <search class="filters">
          {search !== undefined && <SearchFilter label={`Find ${noun}s`} placeholder={search} />}
          {hasTag && <TagFilter />}
          {choiceNames.map((name) => (
            <ChoiceFilter key={name} name={name} label={capitalized(name)} values={choices[name] ?? []} />
          ))}
        </search>
      )}
      <FeedList
        label={title}
        layout={layout}
        columns={columns}
        feed={list.feed}
        keyOf={idOf}
        hrefOf={hrefOf}
        row={(item) => row(item, list)}
        empty={
          key === "{}" ? (
            <EmptyState
              title={emptyTitle}
              text={empty}
              {...(example === undefined ? {} : { command: curlCommand(...example) })}
            />
          ) : (
            <EmptyState title={`No ${noun} matches`} text="Change the filters, or remove them." />
          )
        }
      />
    </>
  )
}

/** The view that lists a resource, from its declaration. */
export const listView =
  <Filters extends object, Item extends Resource>(declaration: ListViewProps<Filters, Item>) =>
  () => <ListView {...declaration} />
