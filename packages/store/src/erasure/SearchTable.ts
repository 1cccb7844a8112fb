import type { SqlClient } from "@effect/sql"
import type { Erasure } from "@switchboard/services/erasure/ErasureRepo"
import { Effect, Option } from "effect"
import { mentionCondition, mentionParameterCount, mentionParameters } from "./MentionConditions.js"
import type { SearchedTable } from "./SearchedTables.js"

/** The values of a row's key, as texts. */
export type Key = ReadonlyArray<string>

/** Rows of a table that were searched, in the order of the key. */
export interface SearchedPage {
  readonly rows: number
  /** The keys of the rows that mention the address. */
  readonly found: ReadonlyArray<Key>
  /** The key of the last row; null for an empty page. */
  readonly last: Key | null
}

const emptyPage: SearchedPage = { rows: 0, found: [], last: null }

/** Whether a table has rows of the erasure's organization. */
export const isInScope = ({ hasOrganization }: SearchedTable, { organization }: Erasure): boolean =>
  hasOrganization || Option.isNone(organization)

const beginsWithOrganization = ({ key }: SearchedTable) => key[0]?.name === "organization_id"

/**
 * The statement that searches up to `limit` rows after a key. With the organization as an equality and the rest of the
 * key as a range, a page begins with one descent of the index.
 */
export const pageStatement = (
  table: SearchedTable,
  { address, organization }: Erasure,
  after: Key | null,
  limit: number
) => {
  const own = Option.toArray(organization)
  const isPrefixed = own.length > 0 && beginsWithOrganization(table)
  const skipped = isPrefixed ? 1 : 0
  const names = table.key.map(({ name }) => name)
  const texts = `json_build_array(${names.map((name) => `${name}::text`).join(", ")})`
  const isOwn = own.map(() => `organization_id = $${mentionParameterCount + 1}`)
  const first = mentionParameterCount + 1 + own.length
  const begin = table.key.slice(skipped).map(({ type }, place) => `$${first + place}::${type}`)
  const isAfter = after === null ? [] : [`(${names.slice(skipped).join(", ")}) > (${begin.join(", ")})`]
  const where = [...(isPrefixed ? isOwn : []), ...isAfter, "true"].join(" AND ")
  const isNamed = [...(isPrefixed ? [] : isOwn), mentionCondition(table)].join(" AND ")
  return {
    statement: `WITH page AS MATERIALIZED (
      SELECT ${names.join(", ")}, ${isNamed} AS is_named FROM ${table.source} WHERE ${where}
      ORDER BY ${names.join(", ")} LIMIT ${limit}
    )
    SELECT (SELECT count(*)::int FROM page) AS rows,
      (SELECT COALESCE(json_agg(${texts}), '[]') FROM page WHERE is_named) AS found,
      (SELECT ${texts} FROM page ORDER BY ${names.map((name) => `${name} DESC`).join(", ")} LIMIT 1) AS last`,
    parameters: [...mentionParameters(address), ...own, ...(after?.slice(skipped) ?? [])]
  }
}

/** Searches up to `limit` rows after a key. */
export const searchPage = (
  sql: SqlClient.SqlClient,
  table: SearchedTable,
  erasure: Erasure,
  after: Key | null,
  limit: number
) => {
  const { parameters, statement } = pageStatement(table, erasure, after, limit)
  return Effect.map(sql.unsafe<SearchedPage>(statement, parameters), ([page]) => page ?? emptyPage)
}

/** The planner's estimate of the rows to search. */
export const estimateRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: SearchedTable,
  { organization }: Erasure
) {
  const own = beginsWithOrganization(table) ? Option.toArray(organization) : []
  const [row] = yield* sql.unsafe<{
    readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: { readonly "Plan Rows": number } }>
  }>(`EXPLAIN (FORMAT JSON) SELECT FROM ${table.source} ${own.map((id) => `WHERE organization_id = '${id}'`).join("")}`)
  return row?.["QUERY PLAN"][0]?.Plan["Plan Rows"] ?? 0
})
