import { ErrorNotice } from "./ErrorNotice.js"
import type { Feed } from "./Feed.js"

/** Below the items of a feed: a button that loads more, or the state of the load. */
export const LoadMore = <Item,>({ feed }: { readonly feed: Feed<Item> }) => {
  const state = feed.state.value
  const loadMore = () => void feed.loadMore()
  switch (state._tag) {
    case "Loading":
      return <p class="loading" role="status" aria-label="Loading" />
    case "More":
      return (
        <button type="button" class="button" onClick={loadMore}>
          Show more
        </button>
      )
    case "Failed":
      return <ErrorNotice error={state.error} retry={loadMore} />
    case "End":
      return null
  }
}
