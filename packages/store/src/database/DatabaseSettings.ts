import { SqlClient } from "@effect/sql"
import { Context, Data, Effect } from "effect"
import { orUnavailable } from "./Unavailable.js"

/** The database's settings would lose committed transactions in a crash. */
export class UnsafeDatabaseError extends Data.TaggedError("UnsafeDatabaseError")<{ readonly message: string }> {}

/** Whether a database without durable commits is refused. No setting changes it: only the server of tests skips the check. */
export class RequiresDurability extends Context.Reference<RequiresDurability>()("store/RequiresDurability", {
  defaultValue: () => true
}) {}

const requiredSettings = ["fsync", "full_page_writes", "synchronous_commit"] as const

/** Fails if the database can lose commits in a power failure: an accepted message (201) must survive. */
export const checkDatabaseSettings = Effect.gen(function* () {
  if (!(yield* RequiresDurability)) return
  const sql = yield* SqlClient.SqlClient
  const rows = yield* orUnavailable(
    sql<{
      name: string
      setting: string
    }>`SELECT name, setting FROM pg_settings WHERE ${sql.in("name", requiredSettings)}`
  )
  const off = rows.filter(({ setting }) => setting === "off").map(({ name }) => name)
  if (off.length > 0) {
    return yield* new UnsafeDatabaseError({
      message: `The database runs with ${off.join(" and ")} off and would lose accepted messages when it crashes: set ${off
        .map((name) => `${name} = on`)
        .join(", ")} in postgresql.conf and reload it`
    })
  }
})
