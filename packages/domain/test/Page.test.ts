import { encodeCursor, PageParams, pageRequest } from "@switchboard/domain/Page"
import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"

const Params = Schema.Struct(PageParams)
const decode = Schema.decodeUnknownEither(Params)

describe("The page parameters", () => {
  it.each([
    [{}, {}],
    [
      { page: "1", limit: "100" },
      { page: 1, limit: 100 }
    ],
    [{ page: "10000000" }, { page: 10_000_000 }]
  ])("accept %j", (given, expected) => {
    const params = Either.getOrThrow(decode(given))
    assert.deepStrictEqual(params, expected)
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
  ])("reject a limit of %j", (text) => {
    assert.isTrue(Either.isLeft(decode({ limit: text })))
  })

  it("reject a page above 10,000,000", () => {
    assert.isTrue(Either.isLeft(decode({ page: "10000001" })))
  })
})

describe("The cursor of a page", () => {
  const cursor = { id: "01a1fc1d-cf8f-76d9-be28-52307925009f", page: 3 }

  it("is an opaque text that decodes to the item and the page", () => {
    const after = encodeCursor(cursor)
    assert.match(after, /^[\w-]+$/)
    assert.deepStrictEqual(Either.getOrThrow(decode({ after })), { after: cursor })
    assert.deepStrictEqual(Schema.encodeSync(Params)({ after: cursor }), { after })
  })

  it.each(["", "3", "a b", encodeCursor({ ...cursor, page: 0 }), encodeCursor({ ...cursor, id: "1" }), "é"])(
    "rejects %j",
    (after) => {
      assert.isTrue(Either.isLeft(decode({ after })))
    }
  )

  it("takes precedence over the page number", () => {
    assert.deepStrictEqual(pageRequest({ after: cursor, page: 9 }), { after: cursor.id, page: 3, limit: 20 })
  })
})
