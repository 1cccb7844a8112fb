import { dateRange } from "@switchboard/domain/analytics/DateRange"
import { DateTime, Either } from "effect"
import { assert, describe, it } from "vitest"

const at = DateTime.unsafeMake
const now = at("2026-11-20T09:37:12.345Z")

const rangeOf = (startDate?: string, endDate?: string) =>
  Either.match(
    dateRange(
      {
        startDate: startDate === undefined ? undefined : at(startDate),
        endDate: endDate === undefined ? undefined : at(endDate)
      },
      now
    ),
    {
      onLeft: ({ message }) => message,
      onRight: ({ end, start }) => [DateTime.formatIso(start), DateTime.formatIso(end)]
    }
  )

describe("A date range", () => {
  it("defaults to the last 30 days, rounded to quarters of an hour", () => {
    assert.deepStrictEqual(rangeOf(), ["2026-10-21T09:30:00.000Z", "2026-11-20T09:45:00.000Z"])
    assert.deepStrictEqual(rangeOf(undefined, "2026-11-01T00:00:00Z"), [
      "2026-10-02T00:00:00.000Z",
      "2026-11-01T00:00:00.000Z"
    ])
  })

  it("keeps given times to the millisecond and ends at most at the current quarter of an hour", () => {
    assert.deepStrictEqual(rangeOf("2026-11-20T09:36:12.345Z"), [
      "2026-11-20T09:36:12.345Z",
      "2026-11-20T09:45:00.000Z"
    ])
    assert.deepStrictEqual(rangeOf("2026-11-20T09:36:12.345Z", "2026-11-20T09:36:12.346Z"), [
      "2026-11-20T09:36:12.345Z",
      "2026-11-20T09:36:12.346Z"
    ])
    assert.deepStrictEqual(rangeOf("2026-11-20T09:00:00Z", "2026-12-20T09:00:00Z"), [
      "2026-11-20T09:00:00.000Z",
      "2026-11-20T09:45:00.000Z"
    ])
    assert.deepStrictEqual(rangeOf("2026-12-01T00:00:00Z", "2026-12-20T09:00:00Z"), [
      "2026-12-01T00:00:00.000Z",
      "2026-12-01T00:00:00.000Z"
    ])
  })

  it("can be empty and rejects an end before the start", () => {
    assert.isArray(rangeOf("2026-11-01T00:00:00Z", "2026-11-01T00:00:00Z"))
    assert.strictEqual(
      rangeOf("2026-11-01T00:00:00.001Z", "2026-11-01T00:00:00Z"),
      "The parameter endDate must not be before startDate"
    )
    assert.strictEqual(
      rangeOf("2026-12-01T00:00:00Z"),
      "The parameter startDate must not be in the future without endDate"
    )
  })

  it("is limited to 366 days", () => {
    assert.isArray(rangeOf("2025-11-01T00:00:00Z", "2026-11-02T00:00:00Z"))
    const tooLong = "The parameters startDate and endDate must be at most 366 days apart"
    assert.strictEqual(rangeOf("2025-11-01T00:00:00Z", "2026-11-02T00:00:00.001Z"), tooLong)
    assert.strictEqual(rangeOf("2025-11-01T00:00:00Z"), tooLong)
    assert.strictEqual(rangeOf("2025-11-01T00:00:00Z", "2999-01-01T00:00:00Z"), tooLong)
  })
})
