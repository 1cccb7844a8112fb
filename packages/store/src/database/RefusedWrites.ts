import { SqlClient } from "@effect/sql"
import { Context, Effect, Ref } from "effect"

/** Out of disk, an I/O error of the server, and a standby or another database that is read only. */
const refusedCode = /^(?:53100|58030|25006)$/

/** Whether a write of this process was refused since the last one that `acceptsWrites` made. */
class RefusedWrites extends Context.Reference<RefusedWrites>()("store/RefusedWrites", {
  defaultValue: () => Ref.unsafeMake(false)
}) {}

/** Notes the SQLSTATE of a failed statement. */
export const noteRefusal = (code: string): Effect.Effect<void> =>
  refusedCode.test(code) ? Effect.flatMap(RefusedWrites, (refused) => Ref.set(refused, true)) : Effect.void

/** Takes space like any write that grows a table, and leaves nothing. */
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

/** Whether the database accepts writes. It is probed only after a write was refused, until one is accepted. */
export const acceptsWrites = Effect.gen(function* () {
  const refused = yield* RefusedWrites
  if (!(yield* Ref.get(refused))) return true
  const accepted = yield* Effect.isSuccess(Effect.sandbox(probe))
  yield* Ref.set(refused, !accepted)
  return accepted
})
