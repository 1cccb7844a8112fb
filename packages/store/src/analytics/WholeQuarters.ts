import { type DateRange, quarterAfter, quarterOf } from "@switchboard/domain/analytics/DateRange"
import { DateTime } from "effect"

/** A range as far as it is made of whole quarters of hours, and what it has beside them. */
export interface Quarters {
  readonly whole: DateRange
  readonly edges: ReadonlyArray<DateRange>
}

/** Takes a range apart: of whole quarters there are counts, of the rest, two parts at most, there are events. */
export const wholeQuarters = ({ end, start }: DateRange): Quarters => {
  const from = quarterAfter(start)
  const until = quarterOf(end)
  if (DateTime.lessThan(until, from)) return { whole: { start: from, end: from }, edges: [{ start, end }] }
  const edges = [
    { start, end: from },
    { start: until, end }
  ]
  return { whole: { start: from, end: until }, edges: edges.filter((edge) => DateTime.lessThan(edge.start, edge.end)) }
}
