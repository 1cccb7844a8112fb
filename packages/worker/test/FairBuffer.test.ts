import { FairBuffer } from "@switchboard/worker/FairBuffer"
import { FastCheck } from "effect"
import { assert, describe, it } from "vitest"

interface Item {
  readonly owner: string
  readonly index: number
}

const items = (owner: string, count: number): ReadonlyArray<Item> =>
  Array.from({ length: count }, (_, index) => ({ owner, index }))

const bufferOf = (share: number, ...offers: ReadonlyArray<ReadonlyArray<Item>>) => {
  const buffer = new FairBuffer<string, Item>(({ owner }) => owner, share)
  for (const offer of offers) buffer.offer(offer)
  return buffer
}

const takeAll = (buffer: FairBuffer<string, Item>): ReadonlyArray<Item> => {
  const taken: Array<Item> = []
  for (let item = buffer.next(); item !== undefined; item = buffer.next()) taken.push(item)
  return taken
}

const owners = (taken: ReadonlyArray<Item>) => taken.map(({ owner }) => owner).join("")

describe("FairBuffer", () => {
  it("returns undefined while it is empty", () => {
    const buffer = bufferOf(1)
    assert.isUndefined(buffer.next())
    assert.strictEqual(buffer.size(), 0)
  })

  it("serves owners in turn", () => {
    assert.strictEqual(owners(takeAll(bufferOf(9, items("a", 4), items("b", 2), items("c", 1)))), "abcabaa")
  })

  it("serves a new owner after one round, not after another owner's backlog", () => {
    const buffer = bufferOf(9, items("a", 5))
    assert.strictEqual(buffer.next()?.owner, "a")
    buffer.offer(items("b", 1))
    assert.strictEqual(owners(takeAll(buffer)), "abaaa")
  })

  it("keeps the order of an owner's items", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.constantFrom("a", "b", "c")), (sequence) => {
        const buffer = bufferOf(
          sequence.length + 1,
          sequence.map((owner, index) => ({ owner, index }))
        )
        const taken = takeAll(buffer)
        assert.strictEqual(taken.length, sequence.length)
        for (const owner of ["a", "b", "c"]) {
          const indices = taken.filter((item) => item.owner === owner).map(({ index }) => index)
          assert.deepStrictEqual(
            indices,
            [...indices].sort((left, right) => left - right)
          )
        }
      })
    ))

  it("skips an owner without a free slot until an item is done", () => {
    const buffer = bufferOf(2, items("a", 4), items("b", 1))
    const taken = takeAll(buffer)
    assert.strictEqual(owners(taken), "aba")
    assert.strictEqual(buffer.size("a"), 2)
    for (const item of taken.slice(0, 1)) buffer.done(item)
    assert.strictEqual(owners(takeAll(buffer)), "a")
  })

  it("returns at most the share of each owner at a time, and all items in the end", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.tuple(FastCheck.constantFrom("a", "b", "c"), FastCheck.nat(9))),
        FastCheck.integer({ min: 1, max: 4 }),
        (offers, share) => {
          const buffer = bufferOf(share, ...offers.map(([owner, count]) => items(owner, count)))
          const total = offers.reduce((sum, [, count]) => sum + count, 0)
          let count = 0
          for (let round = takeAll(buffer); round.length > 0; round = takeAll(buffer)) {
            for (const owner of ["a", "b", "c"]) {
              assert.isAtMost(round.filter((item) => item.owner === owner).length, share)
            }
            count += round.length
            for (const item of round) buffer.done(item)
          }
          assert.strictEqual(count, total)
        }
      )
    ))

  it("returns the owners with enough buffered items", () => {
    const buffer = bufferOf(1, items("a", 3), items("b", 2), items("c", 1))
    assert.deepStrictEqual(buffer.saturated(2), ["a", "b"])
    assert.deepStrictEqual([buffer.size(), buffer.size("a"), buffer.size("x")], [6, 3, 0])
  })

  it("removes a buffered item, but not one in progress", () => {
    const [first, second] = items("a", 2)
    if (first === undefined || second === undefined) return assert.fail("two items were made")
    const buffer = bufferOf(2, [first, second])
    assert.strictEqual(buffer.next(), first)
    assert.isFalse(buffer.remove(first))
    assert.isTrue(buffer.remove(second))
    assert.strictEqual(buffer.size(), 0)
    assert.isUndefined(buffer.next())
  })
})
