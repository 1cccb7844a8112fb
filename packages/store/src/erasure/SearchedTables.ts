import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Tables that stay unchanged: operators and organizations edit their own settings, and a block protects the person. */
const settings = new Set([
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
  "voice_agents",
  "voice_knowledge_bases",
  "voice_workflows",
  "webhook_endpoints"
])

/**
 * Tables that are not searched: their texts are names of the service, hashes or keys of objects. The rows of
 * `participant_addresses` are found by index, an address in `receiving_addresses` is not erased, and the tables of
 * places change with the participants.
 */
const notSearched = [
  "api_key_totals",
  "api_key_usage",
  "creation_keys",
  "deleted_messages",
  "delivery_pauses",
  "earlier_key_values",
  "erasures",
  "forwarding_queue",
  "inbound_queue",
  "installation",
  "latency_histograms",
  "login_tokens",
  "message_contents",
  "message_count_changes",
  "message_counts",
  "message_periods",
  "message_queue",
  "message_total_changes",
  "message_totals",
  "object_removals",
  "participant_addresses",
  "participant_places",
  "place_periods",
  "receiving_addresses",
  "retention_marks",
  "retention_rechecks",
  "sessions",
  "switchboard_migrations",
  "voice_call_queue",
  "voice_notice_queue",
  "webhook_deliveries",
  "webhook_queue",
  "whatsapp_service_windows"
]

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
