import { PageParams } from "@switchboard/domain/Page"
import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"

const Params = Schema.Struct(PageParams)
const decode = Schema.decodeUnknownEither(Params)

describe("the parameters of a page", () => {
  it.each([
    [{}, {}],
    [
      { page: "1", limit: "100" },
      { page: 1, limit: 100 }
    ],
    [{ page: "10000000" }, { page: 10_000_000 }]
  ])("may be %j", (given, wanted) => {
    const params = Either.getOrThrow(decode(given))
    assert.deepStrictEqual(params, wanted)
    assert.deepStrictEqual(Schema.encodeSync(Params)(params), given)
  })

  it.each([
    "",
    "0",
    "101",
    "-1",
    "+5",
    " 5",
    "5 ",
    "05",
    "5.0",
    "1e1",
    "0x1",
    "0b1",
    "Infinity",
    "NaN",
    "\u0665",
    "9".repeat(400)
  ])("may not be %j", (text) => {
    assert.isTrue(Either.isLeft(decode({ limit: text })))
  })

  it("are counted to ten million pages", () => {
    assert.isTrue(Either.isLeft(decode({ page: "10000001" })))
  })
})
