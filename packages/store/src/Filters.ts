import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { searchedForms } from "@switchboard/domain/Search"
import { Array } from "effect"

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

/** A table with rows of listed items. */
export interface Source {
  readonly table: string
  /** The alias of the table in its filters. */
  readonly alias: string
  /** The column of the item's id. */
  readonly id: string
}

/** A condition of a request on the rows of a table. */
export interface Filter {
  readonly on: Source
  readonly where: Fragment
  /** The same in a form that an index of another order serves. */
  readonly indexed: Fragment
}

/** The filter of a value, if there is one. */
export const filterOn = <A>(
  on: Source,
  value: A | undefined,
  where: (value: A) => Fragment,
  indexed = where
): ReadonlyArray<Filter> => (value === undefined ? [] : [{ on, where: where(value), indexed: indexed(value) }])

/** The filter of a text that one of the columns contains. Each has an index on its `searchKey`. */
export const searchOn = (
  sql: SqlClient.SqlClient,
  on: Source,
  search: string | undefined,
  columns: ReadonlyArray<string>
) =>
  filterOn(
    on,
    search,
    (text) => containsText(sql, text, columns),
    (text) => findsText(sql, text, columns)
  )

interface Filters {
  /** The table of the list without a filter. */
  readonly all: Source
  /** Filters with an index in the order of the list, by their selectivity. */
  readonly ordered: ReadonlyArray<Filter>
  readonly tests: ReadonlyArray<Filter>
  /** Conditions on a column of the id. */
  readonly range?: (id: Fragment) => ReadonlyArray<Fragment>
  /** The tables of the rows of a page. */
  readonly rows: ReadonlyArray<Source>
}

/** A list in the index of the first filter with an order. The other filters are tests. */
export const filtered = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { all, ordered, range = () => [], rows, tests }: Filters
) => {
  const [first = { on: all, where: sql`true` }, ...next] = ordered
  const others = [...next, ...tests]
  const { alias } = first.on
  const tableOf = (one: Source) => `${one.table} AS ${one.alias}`
  const idOf = (one: Source) => `${one.alias}.${one.id}`
  const isOther = (one: Source) => one.alias !== alias
  const joinsOf = (tables: ReadonlyArray<Source>) =>
    tables
      .filter(isOther)
      .map(
        (one) => `JOIN ${tableOf(one)} ON ${one.alias}.organization_id = ${alias}.organization_id
          AND ${idOf(one)} = ${idOf(first.on)}`
      )
      .join(" ")
  const tested = Array.dedupe(others.map(({ on }) => on)).filter(isOther)
  const ranges = tested.flatMap((one) => range(sql.literal(idOf(one))))
  return {
    id: idOf(first.on),
    tables: tableOf(first.on),
    joins: joinsOf(rows),
    where: [
      sql`${sql.literal(alias)}.organization_id = ${organization}`,
      first.where,
      ...range(sql.literal(idOf(first.on)))
    ],
    tests:
      others.length === 0
        ? undefined
        : {
            joins: joinsOf(tested),
            ids: tested.map(idOf),
            where: [...others.map(({ where }) => where), ...ranges],
            indexed: [...others.map(({ indexed }) => indexed), ...ranges]
          }
  }
}
