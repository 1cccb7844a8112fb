import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import { DateTime, FastCheck } from "effect"

/** A range of two instants in ISO 8601. */
export const range = (start: string, end: string): DateRange => ({
  start: DateTime.unsafeMake(start),
  end: DateTime.unsafeMake(end)
})

/** The range of generated messages. */
export const year = range("2025-11-10T10:20:30.456Z", "2026-11-10T10:20:30.456Z")

/** Ranges within the year: of instants, complete days and complete months. */
export const ranges = (numRuns: number) => {
  const at = FastCheck.integer({ min: DateTime.toEpochMillis(year.start), max: DateTime.toEpochMillis(year.end) })
  const instant = FastCheck.tuple(
    at,
    FastCheck.constantFrom<"day" | "month" | "hour" | null>("day", "month", "hour", null)
  ).map(([millis, unit]) => {
    const one = DateTime.unsafeMake(millis)
    return unit === null ? one : DateTime.startOf(one, unit)
  })
  return FastCheck.sample(FastCheck.tuple(instant, instant), { seed: 1, numRuns }).map(([one, other]) => ({
    start: DateTime.min(one, other),
    end: DateTime.max(one, other)
  }))
}
