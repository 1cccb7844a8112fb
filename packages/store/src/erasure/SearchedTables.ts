import type { SqlClient } from "@effect/sql"
import type { Erasure } from "@switchboard/services/erasure/ErasureRepo"
import { Effect, Option } from "effect"
import { mentionCondition, mentionParameterCount, mentionParameters } from "./Mentions.js"

/** The names in a text. */
const tableNames = (text: string) => text.trim().split(/\s+/)

/** Tables that stay unchanged: operators and organizations edit their own settings, and a block protects the person. */
const settings = new Set(
  tableNames(`
  api_keys catch_alls email_blocks email_category_blocks email_domains email_senders email_template_versions
  email_templates forwarding_rules organizations user_invitations users voice_agents voice_knowledge_bases
  voice_workflows webhook_endpoints`)
)

/**
 * Tables that are not searched: their texts are names of the service or of hosts, hashes or keys of objects. The rows of
 * `participant_addresses` are found by index, an address in `receiving_addresses` is not erased, a place has no
 * participants, and `numbers`, `provider_messages` and `sms_opt_outs` have phone numbers only, which `erasePhone` finds.
 */
const notSearched = tableNames(`
  api_key_totals api_key_usage creation_keys deleted_messages delivery_pauses earlier_key_values erasures
  forwarding_queue inbound_queue installation login_tokens mail_report_failures mail_report_sources message_contents
  message_queue numbers
  object_removals oidc_logins participant_addresses password_resets provider_event_queue provider_messages
  receiving_addresses retention_marks retention_rechecks rollup_domains rollup_messages rollup_places rollup_totals secrets sessions
  sms_opt_outs sms_queue
  switchboard_migrations
  voice_call_queue webhook_deliveries
  webhook_queue whatsapp_service_windows`)

/** A column with its type's name in `pg_type`. */
interface Column {
  readonly name: string
  readonly type: string
}

/** A table that can mention an address. */
export interface SearchedTable {
  readonly name: string
  /** The name without inherited rows: those are searched in their own table. */
  readonly source: string
  /** The columns with text. */
  readonly columns: ReadonlyArray<Column>
  /** The columns of the primary key; `ctid` for a table without one, with rows that do not move. */
  readonly key: ReadonlyArray<Column>
  readonly hasOrganization: boolean
  /** Whether mentions are counted and stay. */
  readonly isSettings: boolean
}

/** A column of octets is searched if it contains a mail. */
const tablesStatement = /* sql */ `
SELECT c.oid::regclass::text AS name, CASE c.relkind WHEN 'r' THEN 'ONLY ' ELSE '' END || c.oid::regclass AS source,
  json_agg(json_build_object('name', quote_ident(a.attname), 'type', t.typname) ORDER BY a.attnum) AS columns,
  COALESCE((
    SELECT json_agg(json_build_object('name', quote_ident(k.attname), 'type', y.typname) ORDER BY p.place)
    FROM pg_index AS i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS p(number, place)
      JOIN pg_attribute AS k ON k.attrelid = i.indrelid AND k.attnum = p.number JOIN pg_type AS y ON y.oid = k.atttypid
    WHERE i.indrelid = c.oid AND i.indisprimary
  ), '[{"name": "ctid", "type": "tid"}]') AS key,
  EXISTS (SELECT FROM pg_attribute AS o WHERE o.attrelid = c.oid AND o.attname = 'organization_id') AS "hasOrganization"
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    AND a.attgenerated = ''
  JOIN pg_type AS t ON t.oid = a.atttypid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND c.relname <> ALL ($1)
  AND (t.typname IN ('text', 'varchar', 'json', 'jsonb', '_text') OR t.typname = 'bytea' AND a.attname = 'raw')
GROUP BY c.oid, c.relkind ORDER BY c.oid::regclass::text COLLATE "C"`

/** Selects the tables to search from the catalog, which includes tables of later migrations, in the order of names. */
export const searchedTables = (sql: SqlClient.SqlClient) =>
  Effect.map(sql.unsafe<Omit<SearchedTable, "isSettings">>(tablesStatement, [notSearched]), (tables) =>
    tables.map((table): SearchedTable => ({ ...table, isSettings: settings.has(table.name) }))
  )

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
