import { SqlClient } from "@effect/sql"
import { Context, Effect, Ref } from "effect"

/** Disk full (53100), I/O error of the server (58030), read-only transaction on a standby (25006). */
const refusedCode = /^(?:53100|58030|25006)$/

/** Whether a write was refused since the last successful probe. */
class RefusedWrites extends Context.Reference<RefusedWrites>()("store/RefusedWrites", {
  defaultValue: () => Ref.unsafeMake(false)
}) {}

/** Records the SQLSTATE of a failed statement if it means that the database refuses writes. */
export const noteRefusal = (code: string): Effect.Effect<void> =>
  refusedCode.test(code) ? Effect.flatMap(RefusedWrites, (refused) => Ref.set(refused, true)) : Effect.void

/** Writes enough to grow a table, and rolls back. */
const probe = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`CREATE TABLE switchboard_write_probe AS SELECT generate_series(1, 20000) AS n`.pipe(
    Effect.zipRight(Effect.fail("rollback" as const)),
    sql.withTransaction,
    Effect.catchIf(
      (error) => error === "rollback",
      () => Effect.void
    )
  )
)

/** Whether the database accepts writes. Probes only after a refused write, until a probe succeeds. */
export const acceptsWrites = Effect.gen(function* () {
  const refused = yield* RefusedWrites
  if (!(yield* Ref.get(refused))) return true
  const accepted = yield* Effect.isSuccess(Effect.sandbox(probe))
  yield* Ref.set(refused, !accepted)
  return accepted
})
