import type { SqlClient } from "@effect/sql"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import type { Counted, Erasure } from "@switchboard/services/erasure/ErasureRepo"
import { Array, Effect, Option } from "effect"
import { mentionOf, placeholder } from "./Mentions.js"

/** What operators and organizations have set up: to change it is theirs. Blocks protect the person. */
const kept = new Set([
  "api_keys",
  "catch_alls",
  "email_blocks",
  "email_category_blocks",
  "email_domains",
  "email_senders",
  "email_template_versions",
  "email_templates",
  "forwarding_rules",
  "organizations",
  "receiving_addresses",
  "switchboard_migrations",
  "voice_agents",
  "voice_knowledge_bases",
  "voice_workflows",
  "webhook_endpoints"
])

/** The kinds of columns that words can be in, and how a column of each is written without the address. */
const written: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `regexp_replace(${column}, $1, $2, 'gi')`,
  varchar: (column) => `regexp_replace(${column}, $1, $2, 'gi')`,
  json: (column) => `regexp_replace(${column}::text, $1, $2, 'gi')::json`,
  jsonb: (column) => `regexp_replace(${column}::text, $1, $2, 'gi')::jsonb`,
  _text: (
    column
  ) => `ARRAY(SELECT regexp_replace(one, $1, $2, 'gi') FROM unnest(${column}) WITH ORDINALITY AS o(one, place)
    ORDER BY place)`
}

interface Column {
  readonly table_name: string
  readonly column_name: string
  readonly udt_name: string
  readonly is_scoped: boolean
}

/** All columns of words, those of tables to come too. */
const columnsStatement = /* sql */ `
SELECT quote_ident(c.table_name) AS table_name, quote_ident(c.column_name) AS column_name, c.udt_name,
  EXISTS (SELECT FROM information_schema.columns AS o WHERE o.table_schema = c.table_schema
    AND o.table_name = c.table_name AND o.column_name = 'organization_id') AS is_scoped
FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.udt_name = ANY ($1)
ORDER BY c.table_name, c.ordinal_position`

interface Table {
  readonly name: string
  readonly isScoped: boolean
  readonly columns: ReadonlyArray<Column>
}

const tablesOf = (sql: SqlClient.SqlClient) =>
  Effect.map(sql.unsafe<Column>(columnsStatement, [Object.keys(written)]), (columns) =>
    Object.entries(Array.groupBy(columns, ({ table_name }) => table_name)).map(
      ([name, own]): Table => ({ name, isScoped: own[0].is_scoped, columns: own })
    )
  )

const names = (table: Table, parameter: string) =>
  `(${table.columns.map(({ column_name }) => `${column_name}::text ~* ${parameter}`).join(" OR ")})`

/** What is no organization's belongs to the installation. */
const within = (table: Table, { organization }: Erasure, parameter: string) =>
  Option.isNone(organization) ? "" : table.isScoped ? ` AND organization_id = ${parameter}` : " AND false"

const scope = ({ organization }: Erasure) => Option.toArray(organization)

/** Writes something else wherever the address still stands; how often, by table. */
export const eraseMentions = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, erasure: Erasure) {
  const mention = mentionOf(erasure.address)
  // Keys of sends are unique, each stays its own. What a caller puts before an address is no part of it here.
  const claims = yield* sql`UPDATE message_claims SET key = 'erased ' || message_id
    WHERE position(${addressKey(erasure.address)} IN lower(key)) > 0 ${Option.match(erasure.organization, {
      onNone: () => sql``,
      onSome: (id) => sql`AND organization_id = ${id}`
    })} RETURNING 1`
  const tables = (yield* tablesOf(sql)).filter(({ name }) => !kept.has(name))
  const counts = yield* Effect.forEach(tables, (table) => {
    const changes = table.columns.map(({ column_name, udt_name }) => {
      const without = written[udt_name]?.(column_name) ?? column_name
      return `${column_name} = CASE WHEN ${column_name}::text ~* $1 THEN ${without} ELSE ${column_name} END`
    })
    return Effect.map(
      sql.unsafe<{ count: number }>(
        `WITH changed AS (
          UPDATE ${table.name} SET ${changes.join(", ")} WHERE ${names(table, "$1")}${within(table, erasure, "$3")} RETURNING 1
        ) SELECT count(*)::int AS count FROM changed WHERE $2::text IS NOT NULL`,
        [mention, placeholder, ...(table.isScoped ? scope(erasure) : [])]
      ),
      ([row]): Counted => ({ what: table.name, count: row?.count ?? 0 })
    )
  })
  return [{ what: "message_claims", count: claims.length }, ...counts].filter(({ count }) => count > 0)
})

/** What stays although it names the address, by table. */
export const mentionsLeft = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, erasure: Erasure) {
  const tables = (yield* tablesOf(sql)).filter(({ name }) => kept.has(name))
  const counts = yield* Effect.forEach(tables, (table) =>
    Effect.map(
      sql.unsafe<{ count: number }>(
        `SELECT count(*)::int AS count FROM ONLY ${table.name} WHERE ${names(table, "$1")}${within(table, erasure, "$2")}`,
        [mentionOf(erasure.address), ...(table.isScoped ? scope(erasure) : [])]
      ),
      ([row]): Counted => ({ what: table.name, count: row?.count ?? 0 })
    )
  )
  return counts.filter(({ count }) => count > 0)
})
