import { type DateRange, quarterAfter, quarterOf } from "@switchboard/domain/analytics/DateRange"
import { DateTime } from "effect"

/** A range split into complete periods and the incomplete ones at its ends. */
export interface SplitRange {
  readonly complete: DateRange
  readonly edges: ReadonlyArray<DateRange>
}

/** Splits a range at the start of a period. `first` returns the first start that is not before an instant. */
const splitRange =
  (first: (at: DateTime.Utc) => DateTime.Utc, last: (at: DateTime.Utc) => DateTime.Utc) =>
  ({ end, start }: DateRange): SplitRange => {
    const from = first(start)
    const until = last(end)
    const isShort = DateTime.lessThan(until, from)
    const edges = isShort
      ? [{ start, end }]
      : [
          { start, end: from },
          { start: until, end }
        ]
    return {
      complete: { start: from, end: isShort ? from : until },
      edges: edges.filter((edge) => DateTime.lessThan(edge.start, edge.end))
    }
  }

/** Splits a range: counts exist for complete quarter hours; in the rest, at most two parts, events are counted. */
export const splitAtQuarterHours = splitRange(quarterAfter, quarterOf)

const dayOf = (at: DateTime.Utc) => DateTime.startOf(at, "day")
const dayAfter = (at: DateTime.Utc) => dayOf(DateTime.add(at, { days: 1, millis: -1 }))

/** Splits a range at midnight UTC. */
export const splitAtDays = splitRange(dayAfter, dayOf)

const monthOf = (at: DateTime.Utc) => DateTime.startOf(at, "month")

/** The first start of a month (UTC) that is not before an instant. */
export const monthAfter = (at: DateTime.Utc): DateTime.Utc =>
  monthOf(DateTime.add(DateTime.endOf(DateTime.subtract(at, { millis: 1 }), "month"), { millis: 1 }))

/** Splits a range at the starts of months (UTC). */
export const splitAtMonths = splitRange(monthAfter, monthOf)
