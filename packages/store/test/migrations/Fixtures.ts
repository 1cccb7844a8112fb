import { readFileSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const schemaOf020 = readFileSync(new URL("schema-0.2.0.sql", import.meta.url), "utf8")

/** Replaces the schema by that of 0.2.0. */
export const restore020 = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${schemaOf020}`)
})
