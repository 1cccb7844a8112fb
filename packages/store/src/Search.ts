import type { SqlClient } from "@effect/sql"

/** Whether a text is part of one of the columns, whatever the case of its letters. None of its characters is special. */
export const found = (sql: SqlClient.SqlClient, search: string, columns: ReadonlyArray<string>) =>
  sql.or(columns.map((column) => sql`strpos(lower(${sql(column)}), lower(${search})) > 0`))
