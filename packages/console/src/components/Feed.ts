import { batch, type Signal, signal } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"

/** What a feed is doing: it loads items, has more of them, is at its end, or failed. */
export type FeedState =
  | { readonly _tag: "Loading" }
  | { readonly _tag: "More" }
  | { readonly _tag: "End" }
  | { readonly _tag: "Failed"; readonly error: unknown }

/** The items of a list that are loaded so far, in its order. */
export interface Feed<Item> {
  readonly items: Signal<ReadonlyArray<Item>>
  readonly state: Signal<FeedState>
  /** Loads the next items, if there are more and none are loading. */
  readonly loadMore: () => Promise<void>
  /** Replaces items that are loaded, and puts new ones at the start. */
  readonly update: (items: ReadonlyArray<Item>) => void
  readonly remove: (key: string) => void
}

/** Opens a list from its start, usually the `all` of an operation. */
export type OpenList<Item> = (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>

/** How many items are added at a time: the maximum of a page. */
export const feedStep = 100

/** In milliseconds. While more items load, the items found so far are shown at this interval. */
const showEvery = 1_000

/** A feed without items of the list that `open` opens. */
export const makeFeed = <Item>(open: OpenList<Item>, keyOf: (item: Item) => string, abort: AbortSignal): Feed<Item> => {
  const items = signal<ReadonlyArray<Item>>([])
  const state = signal<FeedState>({ _tag: "Loading" })
  let source: AsyncGenerator<Item, void, undefined> | undefined

  const withoutKnown = (added: ReadonlyArray<Item>) => {
    const known = new Set(items.peek().map(keyOf))
    return added.filter((item) => !known.has(keyOf(item)))
  }

  const loadMore = async () => {
    const { _tag } = state.peek()
    if (_tag === "End" || (_tag === "Loading" && source !== undefined)) return
    // After a failure the list starts again: its items are replaced by their keys.
    if (source === undefined || _tag === "Failed") source = open(abort)
    state.value = { _tag: "Loading" }
    const added: Array<Item> = []
    const show = () => {
      items.value = [...items.peek(), ...withoutKnown(added.splice(0))]
    }
    const end = items.peek().length + feedStep
    const showing = setInterval(show, showEvery)
    let next: FeedState = { _tag: "More" }
    try {
      while (items.peek().length + withoutKnown(added).length < end) {
        const { done, value } = await source.next()
        if (done === true) {
          next = { _tag: "End" }
          break
        }
        added.push(value)
      }
    } catch (error) {
      if (abort.aborted) return
      next = { _tag: "Failed", error }
    } finally {
      clearInterval(showing)
    }
    batch(() => {
      show()
      state.value = next
    })
  }

  const update = (changed: ReadonlyArray<Item>) => {
    const byKey = new Map(changed.map((item) => [keyOf(item), item]))
    const added = withoutKnown(changed)
    items.value = [...added, ...items.peek().map((item) => byKey.get(keyOf(item)) ?? item)]
  }

  const remove = (key: string) => {
    items.value = items.peek().filter((item) => keyOf(item) !== key)
  }

  return { items, state, loadMore, update, remove }
}

/** The feed of a list. Another `key`, for example other filters, opens the list anew. */
export const useFeed = <Item>(key: string, keyOf: (item: Item) => string, open: OpenList<Item>): Feed<Item> => {
  const [feed, controller] = useMemo(() => {
    const abort = new AbortController()
    return [makeFeed(open, keyOf, abort.signal), abort] as const
  }, [key])
  useEffect(() => {
    void feed.loadMore()
    return () => controller.abort()
  }, [feed])
  return feed
}
