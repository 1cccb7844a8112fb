import { assert, describe, it } from "@effect/vitest"
import { newUuid } from "@switchboard/services/NewId"

describe("newUuid", () => {
  it("returns distinct UUIDs of version 7 that begin with the given time", () => {
    const msecs = 0x0123_4567_89ab
    const ids = Array.from({ length: 1_000 }, () => newUuid(msecs))
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const id of ids) assert.match(id, /^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it("sorts ids of the same millisecond in the order in which they were made", () => {
    const ids = Array.from({ length: 1_000 }, () => newUuid(1))
    assert.deepStrictEqual([...ids].sort(), ids)
  })
})
