import { Option } from "effect"
import { assert, describe, it } from "vitest"
import { Recent } from "../src/Recent.js"

describe("what was looked up lately", () => {
  it("is known until its time is over", () => {
    const recent = new Recent<string, number>(10, "500 millis")
    recent.keep("a", 1, 1_000)
    assert.deepStrictEqual(recent.at("a", 1_499), Option.some(1))
    assert.deepStrictEqual(recent.at("a", 1_500), Option.none())
    assert.deepStrictEqual(recent.at("a", 1_000), Option.none())
    assert.deepStrictEqual(recent.at("b", 1_000), Option.none())
  })

  it("is forgotten where there is no room", () => {
    const recent = new Recent<number, number>(2, "1 second")
    for (const key of [1, 2, 3]) recent.keep(key, key, 0)
    assert.deepStrictEqual(
      [1, 2, 3].map((key) => Option.isSome(recent.at(key, 1))),
      [false, false, true]
    )
  })

  it("is forgotten where it may have changed", () => {
    const recent = new Recent<string, number>(10, "1 second")
    recent.keep("a", 1, 0)
    recent.forget()
    assert.deepStrictEqual(recent.at("a", 1), Option.none())
  })
})
