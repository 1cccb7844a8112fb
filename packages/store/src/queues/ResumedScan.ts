import { Effect } from "effect"
import { FullScans } from "./FullScans.js"
import { fromMicros, settledBefore, toMicros } from "./QueueTables.js"

/** SQL: the condition that a scan resumes at the parameter, the end of the last one. */
export const resumedAt = (column: string, parameter: string) =>
  `${column} >= least(${fromMicros(parameter)}, ${settledBefore})`

/** SQL: the end of a scan up to `end` that found the rows of `found`: the last row if there may be more. */
export const reachedBy = (found: string, column: string, end: string, limit: string | number) =>
  toMicros(`(SELECT CASE WHEN count(*) < ${limit} THEN ${end} ELSE max(${column}) END FROM ${found})`)

/**
 * A scan of an index in the order of a time, which changes the entries that it finds. It resumes where the last one
 * ended: the index still contains the changed entries while another transaction has an old snapshot, and a scan from
 * the beginning would read each of them again. Full scans find entries that were locked, or appeared behind that point.
 */
export class ResumedScan {
  /** Microseconds since 1970. */
  private start = Number.NEGATIVE_INFINITY
  private readonly full = new FullScans()

  /** `scan` gets the time to start at, and returns the time up to which it found all entries. */
  readonly run = <A extends { readonly reached: number }, E, R>(scan: (from: number) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(this.full.isDue, (isFull) =>
      isFull ? this.full.run(scan(Number.NEGATIVE_INFINITY)) : scan(this.start)
    ).pipe(
      Effect.tap(({ reached }) => {
        this.start = reached
      })
    )
}
