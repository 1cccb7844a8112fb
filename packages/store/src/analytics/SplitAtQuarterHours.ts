import { type DateRange, quarterAfter, quarterOf } from "@switchboard/domain/analytics/DateRange"
import { DateTime } from "effect"

/** A range split into complete quarter hours and the incomplete ones at its ends. */
export interface QuarterHourSplit {
  readonly complete: DateRange
  readonly edges: ReadonlyArray<DateRange>
}

/** Splits a range: counts exist for complete quarter hours; in the rest, at most two parts, events are counted. */
export const splitAtQuarterHours = ({ end, start }: DateRange): QuarterHourSplit => {
  const from = quarterAfter(start)
  const until = quarterOf(end)
  if (DateTime.lessThan(until, from)) return { complete: { start: from, end: from }, edges: [{ start, end }] }
  const edges = [
    { start, end: from },
    { start: until, end }
  ]
  return {
    complete: { start: from, end: until },
    edges: edges.filter((edge) => DateTime.lessThan(edge.start, edge.end))
  }
}
