import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"

/** The pattern of `ILIKE` for texts that contain this one. No character of the text is a wildcard. */
export const containingPattern = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`

/**
 * A condition: one of the columns contains the text, case-insensitive. A trigram index (`gin_trgm_ops`) on the column
 * serves texts of at least three characters.
 */
export const containsText = (sql: SqlClient.SqlClient, search: string, columns: ReadonlyArray<string>) =>
  sql.or(columns.map((column) => sql`${sql(column)} ILIKE ${containingPattern(search)}`))

/**
 * The condition as a test of rows that are read in the order of a list. `IS TRUE` keeps PostgreSQL from a search by the
 * trigram index, which reads all matches of the organization.
 */
export const withoutIndex = (sql: SqlClient.SqlClient, condition: Fragment) => sql`(${condition}) IS TRUE`
