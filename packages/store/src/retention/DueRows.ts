import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import type { Bounds } from "./RetentionMarks.js"

/** The data that is erased in the order of ids. */
export type Kind = "bodies" | "inbound_raw" | "forwardings" | "block_logs" | "catch_all_hours"

/** The rows of a kind, for statements. */
export interface KindRows {
  readonly kind: Kind
  /** SQL: the rows `t` of the organization `d.organization_id`. */
  readonly table: string
  /** SQL: the id of `t` that has the time of its creation. */
  readonly id: string
  /** SQL: the id of the row or mail to erase. */
  readonly item: string
  /** SQL: whether `t` still has the data, and is not in `retention_rechecks`. */
  readonly remains: string
  /** The number of rows that one transaction reads. */
  readonly batch: number
}

/** A row or mail to erase. */
export interface Item {
  readonly organizationId: OrganizationId
  readonly id: string
}

/** An item that cannot be erased yet. */
export interface OpenItem extends Item {
  /** The time of the next check (ISO 8601), instead of the default interval. */
  readonly dueAt?: string | null
}

/** Organizations that one transaction reads. */
const maxOrganizations = 20

/**
 * Locks the organizations with the oldest due rows, reads their rows in the order of ids, and moves their marks. The
 * mark of an organization without further due rows has the id of its next row. Above the highest id for a mark, rows
 * are read more than once, so that those without data are left out.
 */
export const pageStatement = ({ batch, id, item, remains, table }: KindRows) => /* sql */ `
WITH due AS MATERIALIZED (
  SELECT organization_id, done_to FROM retention_marks
  WHERE kind = $1 AND next_id < $2::uuid ORDER BY next_id LIMIT ${maxOrganizations} FOR UPDATE SKIP LOCKED
), share AS MATERIALIZED (
  SELECT ${batch} / greatest(count(*), 1) AS rows FROM due
), page AS MATERIALIZED (
  SELECT d.organization_id, r.* FROM due AS d LEFT JOIN LATERAL (
    SELECT ${id} AS id, ${item} AS item, ${id} < $2::uuid AND ${remains} AS remains FROM ${table} AS t
    WHERE t.organization_id = d.organization_id AND ${id} > d.done_to
      AND (${id} < $3::uuid OR ${id} >= $2::uuid OR ${remains})
    ORDER BY ${id} LIMIT (SELECT rows FROM share)
  ) AS r ON true
), pages AS MATERIALIZED (
  SELECT organization_id, count(id) = (SELECT rows FROM share) AS is_full,
    (array_agg(id ORDER BY id DESC) FILTER (WHERE id < $2::uuid))[1] AS last,
    (array_agg(id ORDER BY id) FILTER (WHERE id >= $2::uuid))[1] AS next
  FROM page GROUP BY organization_id
), moved AS (
  UPDATE retention_marks AS m SET
    done_to = greatest(m.done_to, least($3::uuid, CASE WHEN p.is_full AND p.next IS NULL THEN p.last ELSE $2::uuid END)),
    next_id = CASE WHEN p.is_full AND p.next IS NULL THEN p.last
      ELSE COALESCE(p.next, greatest($2::uuid, $4::uuid)) END
  FROM pages AS p WHERE m.kind = $1 AND m.organization_id = p.organization_id
)
SELECT p.organization_id AS "organizationId", COALESCE((
    SELECT json_agg(DISTINCT item) FROM page AS i
    WHERE i.organization_id = p.organization_id AND i.remains
  ), '[]') AS ids
FROM pages AS p ORDER BY p.organization_id`

/** The due rows of an organization. */
export interface DuePage {
  readonly organizationId: OrganizationId
  readonly ids: ReadonlyArray<string>
}

/** Takes due rows of up to 20 organizations; none if no organization is due. Requires a transaction. */
export const takeDueRows = (sql: SqlClient.SqlClient, rows: KindRows, { committed, end, markable }: Bounds) =>
  sql.unsafe<DuePage>(pageStatement(rows), [rows.kind, end, markable, committed])

/** Locks due items that could not be erased before. Requires a transaction. */
export const takeRechecks = (sql: SqlClient.SqlClient, { batch, kind }: KindRows, now: DateTime.Utc) =>
  sql<Item>`SELECT organization_id AS "organizationId", id FROM retention_rechecks
    WHERE kind = ${kind} AND due_at <= ${DateTime.toDateUtc(now)}
    ORDER BY due_at LIMIT ${batch} FOR UPDATE SKIP LOCKED`

/** The parameters for `unnest` of organizations and ids. */
export const keysOf = (items: ReadonlyArray<Item>) => [
  items.map(({ organizationId }) => organizationId),
  items.map(({ id }) => id)
]

/** Stores the items that are still open, and removes other rechecked ones. Requires a transaction. */
export const storeRechecks = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  kind: Kind,
  taken: ReadonlyArray<Item>,
  open: ReadonlyArray<OpenItem>,
  later: DateTime.Utc
) {
  if (open.length > 0) {
    const [organizations, ids] = keysOf(open)
    const times = open.map(({ dueAt }) => dueAt ?? DateTime.formatIso(later))
    yield* sql`INSERT INTO retention_rechecks (organization_id, kind, id, due_at)
      SELECT organization_id, ${kind}, id, due_at
      FROM unnest(${organizations}::uuid[], ${ids}::uuid[], ${times}::timestamptz[]) AS o(organization_id, id, due_at)
      ORDER BY organization_id, id
      ON CONFLICT (organization_id, kind, id) DO UPDATE SET due_at = excluded.due_at`
  }
  const isOpen = new Set(open.map(({ id, organizationId }) => `${organizationId} ${id}`))
  const done = taken.filter(({ id, organizationId }) => !isOpen.has(`${organizationId} ${id}`))
  if (done.length > 0) {
    const [organizations, ids] = keysOf(done)
    yield* sql`DELETE FROM retention_rechecks AS r USING unnest(${organizations}::uuid[], ${ids}::uuid[]) AS d(organization_id, id)
      WHERE r.kind = ${kind} AND r.organization_id = d.organization_id AND r.id = d.id`
  }
})
