import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Drops the indexes of tables that are not constraints. Returns an effect that builds them again. Requires a
 * transaction.
 */
export const dropSecondaryIndexes = (sql: SqlClient.SqlClient, tables: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const indexes = yield* sql<{ name: string; definition: string }>`
      SELECT i.indexrelid::regclass::text AS name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS definition
      FROM pg_index AS i WHERE i.indrelid::regclass::text = ANY (${tables}::text[])
        AND NOT EXISTS (SELECT FROM pg_constraint AS c WHERE c.conindid = i.indexrelid)`
    if (indexes.length === 0) return Effect.void
    yield* sql.unsafe(`DROP INDEX ${indexes.map(({ name }) => name).join(", ")}`)
    return sql.unsafe(indexes.map(({ definition }) => definition).join("; ")).pipe(Effect.asVoid)
  })
