import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The columns with a row that has the text, in any column type. */
export const tablesWith = (text: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = yield* sql<{ table: string; column: string; type: string }>`
      SELECT c.table_name AS table, c.column_name AS column, c.udt_name AS type
      FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' ORDER BY 1, 2`
    const found = yield* Effect.forEach(columns, ({ column, table, type }) => {
      const words = type === "bytea" ? `encode("${column}", 'escape')` : `"${column}"::text`
      return Effect.map(
        sql.unsafe(`SELECT FROM "${table}" WHERE position($1 IN lower(${words})) > 0 LIMIT 1`, [text]),
        (rows) => (rows.length === 0 ? [] : [`${table}.${column}`])
      )
    })
    return found.flat()
  })
