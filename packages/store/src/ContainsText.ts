import type { SqlClient } from "@effect/sql"
import { searchedForms } from "@switchboard/domain/Search"

/**
 * A condition: one of the texts (SQL) contains the searched one, case-insensitive in every script, with any locale of
 * the database. No index serves it.
 */
export const containsText = (sql: SqlClient.SqlClient, search: string, texts: ReadonlyArray<string>) =>
  sql.or(
    texts.flatMap((text) =>
      searchedForms(search).map((form) => sql`strpos(fold_case(${sql.literal(text)}), fold_case(${form})) > 0`)
    )
  )

/**
 * A condition that each text (SQL) with the searched one meets, and few others. An index on `searchKey` of the text
 * serves at least three characters.
 */
export const mayContainText = (sql: SqlClient.SqlClient, search: string, text: string) =>
  sql.or(
    searchedForms(search).map(
      (form) => sql`${sql.literal(searchKey(text))} LIKE '%' || search_key(fold_case(${form})) || '%'`
    )
  )

/** SQL: the key of a text in a trigram index (`gin_trgm_ops`). */
export const searchKey = (text: string) => `search_key(fold_case(${text}))`

/** The condition of `containsText` on columns that have an index on their `searchKey`. */
export const findsText = (sql: SqlClient.SqlClient, search: string, columns: ReadonlyArray<string>) =>
  sql.or(columns.map((column) => sql.and([mayContainText(sql, search, column), containsText(sql, search, [column])])))
