import { IsoDateTime, IsoDateTimeOrDate } from "@switchboard/domain/Timestamp"
import { DateTime, Either, Schema } from "effect"
import { assert, describe, it } from "vitest"

const instants = [
  ["2026-11-20T10:00Z", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20T10:00:00.5+02:00", "2026-11-20T08:00:00.500Z"],
  ["2026-11-20T10:00:00.123456789Z", "2026-11-20T10:00:00.123Z"],
  ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ["2026-11-20T00:30:00+02:00", "2026-11-19T22:30:00.000Z"]
] as const

const invalid = [
  "",
  "infinity",
  "now",
  "5 December 2026",
  "1763600000",
  "2026-11-20T10:00:00",
  "2026-11-20 10:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-11-31T00:00:00Z",
  "2026-02-30T00:00:00+01:00",
  "2026-02-29T00:00:00Z",
  "2026-11-20T24:00:00Z",
  "2026-11-20T10:60:00Z",
  "2026-11-20T10:00:60Z",
  "2026-11-20T10:00:00+24:00",
  "2026-11-20T10:00:00Z\n",
  "+294277-01-01T00:00:00Z",
  "2026-11-20T10:00:00Z; DROP TABLE messages"
]

describe.each([
  ["a date-time", Schema.decodeUnknownEither(IsoDateTime)],
  ["a date-time or date", Schema.decodeUnknownEither(IsoDateTimeOrDate)]
])("%s", (_, decode) => {
  it.each(instants)("accepts %s as %s", (text, instant) => {
    assert.deepStrictEqual(Either.getOrThrow(decode(text)), DateTime.unsafeMake(instant))
    assert.strictEqual(Schema.encodeSync(IsoDateTime)(DateTime.unsafeMake(instant)), instant)
  })

  it.each(invalid)("rejects %j", (text) => {
    assert.isTrue(Either.isLeft(decode(text)))
  })
})

describe("A date without a time", () => {
  it("stays a date where dates are accepted", () => {
    const decode = Schema.decodeUnknownEither(IsoDateTimeOrDate)
    const encode = Schema.encodeEither(IsoDateTimeOrDate)
    assert.deepStrictEqual([decode("2028-02-29"), encode("2028-02-29")], Array(2).fill(Either.right("2028-02-29")))
    for (const wrong of ["2026-02-29", "2026-2-28", " 2026-02-28", "2026-02-28Z", "20260228"]) {
      assert.isTrue(Either.isLeft(decode(wrong)) && Either.isLeft(encode(wrong)), wrong)
    }
  })

  it("is rejected where a date-time is required", () => {
    assert.isTrue(Either.isLeft(Schema.decodeUnknownEither(IsoDateTime)("2026-11-20")))
  })
})
