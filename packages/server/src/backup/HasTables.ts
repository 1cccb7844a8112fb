import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Whether the database has the tables of an installation. */
export const hasTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ exists: boolean }>`SELECT to_regclass('installation') IS NOT NULL AS exists`
  return row?.exists === true
})
