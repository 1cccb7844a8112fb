import { useEvents } from "../app/LiveEvents.js"
import { type Feed, feedStep, type OpenList, useFeed } from "./Feed.js"
import { useLatest } from "./UseLatest.js"

export interface Resource {
  readonly id: string
}

export const idOf = ({ id }: Resource): string => id

/** The first items of a list. */
export const firstOf = async <Item>(
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

export interface Resources<Item> {
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
