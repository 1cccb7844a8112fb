import { assert, describe, it } from "@effect/vitest"
import { LruCache } from "@switchboard/services/LruCache"

describe("LruCache", () => {
  it("evicts the least recently used entries beyond the total weight", () => {
    const cache = new LruCache<string, number>(10)
    cache.set("a", 1, 4)
    cache.set("b", 2, 4)
    assert.strictEqual(cache.get("a"), 1)
    cache.set("c", 3, 3)
    assert.deepStrictEqual(
      ["a", "b", "c"].map((key) => cache.get(key)),
      [1, undefined, 3]
    )
    cache.set("a", 5, 1)
    cache.set("d", 4, 6)
    assert.deepStrictEqual(
      ["a", "c", "d"].map((key) => cache.get(key)),
      [5, 3, 4]
    )
    cache.set("e", 6, 11)
    assert.strictEqual(cache.get("e"), undefined)
  })
})
