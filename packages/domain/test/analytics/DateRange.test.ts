import { dateRange } from "@switchboard/domain/analytics/DateRange"
import { DateTime, Either } from "effect"
import { assert, describe, it } from "vitest"

const at = DateTime.unsafeMake
const now = at("2026-11-20T09:37:12.345Z")

const end = (text?: string) => (text === undefined || /^\d+-\d+-\d+$/.test(text) ? text : at(text))

const rangeOf = (startDate?: string, endDate?: string, timeZone = "UTC") =>
  Either.match(dateRange({ startDate: end(startDate), endDate: end(endDate) }, timeZone, now), {
    onLeft: ({ message }) => message,
    onRight: ({ end, start }) => [DateTime.formatIso(start), DateTime.formatIso(end)]
  })

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

  it.each([
    ["2026-11-03", "2026-11-03", "UTC", "2026-11-03T00:00:00.000Z", "2026-11-04T00:00:00.000Z"],
    ["2026-11-03", "2026-11-05", "Asia/Kolkata", "2026-11-02T18:30:00.000Z", "2026-11-05T18:30:00.000Z"],
    ["2026-11-03", "2026-11-03T12:00:00Z", "Europe/Berlin", "2026-11-02T23:00:00.000Z", "2026-11-03T12:00:00.000Z"],
    ["2026-11-03T12:00:00Z", "2026-11-03", "America/New_York", "2026-11-03T12:00:00.000Z", "2026-11-04T05:00:00.000Z"],
    // 23 hours, 25 hours, and a day that begins at 1 o'clock.
    ["2026-03-29", "2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
    ["2026-10-25", "2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
    ["2026-03-29", "2026-03-29", "Asia/Beirut", "2026-03-28T22:00:00.000Z", "2026-03-29T21:00:00.000Z"],
    ["2025-10-26", "2026-10-26", "Europe/Berlin", "2025-10-25T22:00:00.000Z", "2026-10-26T23:00:00.000Z"]
  ])("from %s to %s in %s has complete days", (startDate, endDate, zone, start, exclusiveEnd) => {
    assert.deepStrictEqual(rangeOf(startDate, endDate, zone), [start, exclusiveEnd])
  })

  it("of days rejects an end before the start, and too many days", () => {
    const reversed = "The parameter endDate must not be before startDate"
    assert.strictEqual(rangeOf("2026-11-04", "2026-11-03"), reversed)
    assert.strictEqual(rangeOf("2026-11-04", "2026-11-03T23:59:59Z"), reversed)
    assert.isArray(rangeOf("2026-11-03T23:59:59Z", "2026-11-03"))
    assert.strictEqual(rangeOf("2026-11-03T22:59:59Z", "2026-11-02", "Europe/Berlin"), reversed)
    assert.strictEqual(
      rangeOf("2025-11-01", "2026-11-02"),
      "The parameters startDate and endDate must be at most 366 days apart"
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
