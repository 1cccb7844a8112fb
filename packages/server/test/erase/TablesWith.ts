import { SqlClient } from "@effect/sql"
import { Array, Effect, Record } from "effect"

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
}

/** The statement that returns the columns of a table with a row that has the text `$1`. */
const searchStatement = (columns: ReadonlyArray<Column>, table: string) => {
  const found = columns.map(({ column, type }) => {
    const words = type === "bytea" ? `encode("${column}", 'escape')` : `"${column}"::text`
    return `CASE WHEN bool_or(position($1 IN lower(${words})) > 0) THEN '${table}.${column}' END`
  })
  return `SELECT unnest(ARRAY[${found.join(", ")}]) AS name FROM "${table}"`
}

/** The columns with a row that has the text, in any column type. */
export const tablesWith = (text: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = yield* sql<Column>`SELECT c.table_name AS table, c.column_name AS column, c.udt_name AS type
      FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' ORDER BY 1, 2`
    const statements = Record.collect(
      Array.groupBy(columns, ({ table }) => table),
      (table, of) => searchStatement(of, table)
    )
    const found = yield* sql.unsafe<{ readonly name: string }>(
      `SELECT name FROM (${statements.join(" UNION ALL ")}) AS found WHERE name IS NOT NULL ORDER BY name`,
      [text]
    )
    return found.map(({ name }) => name)
  })
