import { DateTime, Either, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { QueryTime } from "../../src/messages/QueryTime.js"

const decode = Schema.decodeUnknownEither(QueryTime)

describe("a time in a query", () => {
  it.each([
    ["2026-11-20", "2026-11-20T00:00:00.000Z"],
    ["2026-11-20T10:00Z", "2026-11-20T10:00:00.000Z"],
    ["2026-11-20T10:00:00.5+02:00", "2026-11-20T08:00:00.500Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
    ["2026-11-20T00:30:00+02:00", "2026-11-19T22:30:00.000Z"]
  ])("%s is %s", (text, instant) => {
    assert.strictEqual(DateTime.formatIso(Either.getOrThrow(decode(text))), instant)
  })

  it.each([
    "",
    "infinity",
    "now",
    "20 November 2026",
    "1763600000",
    "2026-11-20T10:00:00",
    "2026-13-01",
    "2026-02-30",
    "2026-02-29T00:00:00Z",
    "2026-11-20T25:00:00Z",
    "+294277-01-01",
    "294277-01-01",
    "2026-11-20; DROP TABLE messages"
  ])("is not %j", (text) => {
    assert.isTrue(Either.isLeft(decode(text)))
  })
})
