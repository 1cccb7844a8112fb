import { SqlClient } from "@effect/sql"
import { Effect, Exit, GlobalValue, MutableRef } from "effect"

/** Out of disk, an I/O error of the server, and a standby or another database that is read only. */
const refusedCode = /^(?:53100|58030|25006)$/

/** Whether a write of this process was refused since the last one that `acceptsWrites` made. */
const wasRefused = GlobalValue.globalValue("store/RefusedWrites", () => MutableRef.make(false))

/** Notes the SQLSTATE of a failed statement. */
export const noteRefusal = (code: string): void => {
  if (refusedCode.test(code)) MutableRef.set(wasRefused, true)
}

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
export const acceptsWrites = Effect.suspend(() =>
  MutableRef.get(wasRefused)
    ? Effect.tap(Effect.map(Effect.exit(probe), Exit.isSuccess), (accepted) =>
        Effect.sync(() => MutableRef.set(wasRefused, !accepted))
      )
    : Effect.succeed(true)
)
