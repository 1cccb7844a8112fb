import { SqlClient } from "@effect/sql"
import { Context, Data, Effect } from "effect"
import { orUnavailable } from "./Unavailable.js"

/** The database would lose committed transactions in a crash, or cannot fold the case of all scripts. */
export class UnsuitableDatabaseError extends Data.TaggedError("UnsuitableDatabaseError")<{
  readonly message: string
}> {}

/** Whether a database without durable commits is refused. No setting changes it: only the server of tests skips the check. */
export class RequiresDurability extends Context.Reference<RequiresDurability>()("store/RequiresDurability", {
  defaultValue: () => true
}) {}

const requiredSettings = ["fsync", "full_page_writes", "synchronous_commit"] as const

/** Searches fold case by an ICU collation. */
const checkCollation = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* orUnavailable(
    sql<{ encoding: string; hasIcu: boolean }>`SELECT getdatabaseencoding() AS encoding,
      EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') AS "hasIcu"`
  )
  if (found?.encoding !== "UTF8" || !found.hasIcu) {
    return yield* new UnsuitableDatabaseError({
      message: `The database must have the encoding UTF8, on a PostgreSQL that is built with ICU: it has the encoding ${
        found?.encoding
      }, ${found?.hasIcu ? "with" : "without"} ICU`
    })
  }
})

/**
 * Fails if the database cannot fold the case of all scripts, or can lose commits in a power failure: an accepted message
 * (201) must survive.
 */
export const checkDatabaseSettings = Effect.gen(function* () {
  yield* checkCollation
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
    return yield* new UnsuitableDatabaseError({
      message: `The database runs with ${off.join(" and ")} off and would lose accepted messages when it crashes: set ${off
        .map((name) => `${name} = on`)
        .join(", ")} in postgresql.conf and reload it`
    })
  }
})
