import { Array, Cause, Effect, Either, Metric, Predicate } from "effect"
import { logThrottled } from "./LogThrottle.js"

const unreadableTotal = Metric.counter("switchboard_unreadable_rows_total", {
  description: "Rows left out of lists, exports and event streams because they can't be read"
})

/**
 * Decodes the rows of a list, an export or a stream. A row that can't be decoded is left out, logged and counted; the
 * other rows are returned.
 */
export const readableRows = <Row, A>(
  rows: ReadonlyArray<Row>,
  read: (row: Row) => A
): Effect.Effect<ReadonlyArray<A>> =>
  Effect.suspend(() => {
    const [failures, found] = Array.separate(
      rows.map((row) => Either.try({ try: () => read(row), catch: (cause) => ({ row, cause }) }))
    )
    const [first] = failures
    if (first === undefined) return Effect.succeed(found)
    const log = Effect.annotateLogs(Effect.logError("Rows that can't be read are left out", Cause.die(first.cause)), {
      rows: failures.length,
      firstId: Predicate.hasProperty(first.row, "id") ? first.row.id : null
    })
    return Metric.incrementBy(unreadableTotal, failures.length).pipe(
      Effect.zipRight(logThrottled("unreadable rows", log)),
      Effect.as(found)
    )
  })
