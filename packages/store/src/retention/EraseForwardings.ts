import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { keysOf, type OpenItem } from "./DueRows.js"
import type { Expiring } from "./EraseDue.js"

/** The lock stops workers from processing these mails until the transaction has decided on their forwardings. */
const lockStatement = /* sql */ `
SELECT FROM unnest($1::uuid[], $2::uuid[]) AS k(organization_id, id)
  JOIN inbound_mails AS m ON m.organization_id = k.organization_id AND m.id = k.id
ORDER BY m.organization_id, m.id FOR UPDATE OF m`

/**
 * Erases all forwardings of a mail together: a worker that processes the mail again would otherwise repeat the
 * decision. Without a local copy, forwardings stay for seven days: a relay may return the mail after five (RFC 5321
 * section 4.5.4.1), and it must then be received. The counts of catch-alls include erased forwardings.
 */
const eraseStatement = /* sql */ `
WITH mails AS MATERIALIZED (
  SELECT k.organization_id, k.id, f.returnable_until, f.is_open OR f.returnable_until > now() OR EXISTS (
      SELECT FROM inbound_mails AS m
      WHERE m.organization_id = k.organization_id AND m.id = k.id AND m.processed_at IS NULL AND m.raw IS NOT NULL
    ) AS is_open
  FROM unnest($1::uuid[], $2::uuid[]) AS k(organization_id, id) CROSS JOIN LATERAL (
    SELECT bool_or(f.id >= $3::uuid OR f.status = 'waiting') AS is_open,
      COALESCE(max(f.settled_at) FILTER (WHERE f.status = 'forwarded' AND NOT f.keep_copy) + interval '7 days',
        '-infinity') AS returnable_until
    FROM forwardings AS f WHERE f.organization_id = k.organization_id AND f.mail_id = k.id HAVING count(*) > 0
  ) AS f
), deleted AS (
  DELETE FROM forwardings AS f USING mails AS d
  WHERE f.organization_id = d.organization_id AND f.mail_id = d.id AND NOT d.is_open
  RETURNING f.organization_id, f.mail_id, f.domain_id, f.status
), counted AS (
  INSERT INTO catch_all_counts AS c (organization_id, domain_id, hour, forwarded)
  SELECT organization_id, domain_id, 'epoch', count(DISTINCT mail_id) FROM deleted
  WHERE domain_id IS NOT NULL AND status = 'forwarded'
  GROUP BY organization_id, domain_id ORDER BY organization_id, domain_id
  ON CONFLICT (organization_id, domain_id, hour) DO UPDATE SET forwarded = c.forwarded + excluded.forwarded
)
SELECT (SELECT count(*)::int FROM deleted) AS erased, COALESCE((
  SELECT json_agg(json_build_object('organizationId', organization_id, 'id', id,
    'dueAt', CASE WHEN returnable_until > now() THEN returnable_until END)) FROM mails WHERE is_open
), '[]') AS open`

interface Erased {
  readonly erased: number
  readonly open: ReadonlyArray<OpenItem>
}

/** The logs of finished forwardings. The items are mails. */
export const forwardings: Expiring = {
  kind: "forwardings",
  table: "forwardings",
  id: "t.id",
  item: "t.mail_id",
  remains: "true",
  batch: 500,
  // A worker with an expired lease may still be processing a younger mail.
  limit: (bounds) => ({ ...bounds, end: bounds.markable }),
  erase: Effect.fnUntraced(function* (sql: SqlClient.SqlClient, items, { end }) {
    yield* sql.unsafe(lockStatement, keysOf(items))
    // A separate statement: its snapshot includes changes that were committed before the locks were acquired.
    const [result] = yield* sql.unsafe<Erased>(eraseStatement, [...keysOf(items), end])
    return result ?? { erased: 0, open: [] }
  })
}
