import { feedStep, makeFeed } from "@switchboard/console/components/Feed"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"

const feedOf = (open: () => AsyncGenerator<string, void, undefined>) =>
  makeFeed(open, (item) => item, new AbortController().signal)

describe("A feed", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("loads a step of items at a time", async () => {
    const feed = feedOf(async function* () {
      for (let item = 0; item < feedStep + 1; item++) yield `${item}`
    })
    await feed.loadMore()
    assert.deepStrictEqual([feed.items.value.length, feed.state.value._tag], [feedStep, "More"])
    await feed.loadMore()
    assert.deepStrictEqual([feed.items.value.length, feed.state.value._tag], [feedStep + 1, "End"])
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("shows the items that are found while a search for more takes long", async () => {
    let find: (item: string) => void = () => assert.fail("not searched")
    const feed = feedOf(async function* () {
      yield "a"
      yield await new Promise<string>((resolve) => {
        find = resolve
      })
    })
    const loaded = feed.loadMore()
    await vi.advanceTimersByTimeAsync(1_000)
    assert.deepStrictEqual([feed.items.value, feed.state.value._tag], [["a"], "Loading"])
    find("b")
    await loaded
    assert.deepStrictEqual([feed.items.value, feed.state.value._tag], [["a", "b"], "End"])
  })
})
