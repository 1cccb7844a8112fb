import type { SqlClient } from "@effect/sql"
import { DateTime, Effect } from "effect"
import { deleteRange, type Expiring } from "./ExpiredRows.js"

/**
 * Keeps events with a webhook delivery that has not succeeded, which may still be sent; the newest expired event; and
 * events that are younger than their id.
 */
const eraseEventsStatement = /* sql */ `
DELETE FROM events AS e
WHERE e.organization_id = $1 AND e.id = ANY ($2::uuid[]) AND e.created_at < $3::timestamptz AND e.id < (
  SELECT id FROM events WHERE organization_id = $1 AND id < $4::uuid ORDER BY id DESC LIMIT 1
) AND NOT EXISTS (
  SELECT FROM webhook_endpoints AS w CROSS JOIN LATERAL (
    SELECT status FROM webhook_deliveries WHERE organization_id = $1 AND id = webhook_delivery_id(e.id, w.id) OFFSET 0
  ) AS d
  WHERE w.organization_id = $1 AND d.status <> 'succeeded'
) RETURNING 1`

/** Deletes the batches of which no event is stored. Each event is found by primary key with any query plan. */
const eraseBatchesStatement = /* sql */ `
DELETE FROM event_batches AS b WHERE b.organization_id = $1 AND b.first_event <= $2 AND NOT EXISTS (
  SELECT FROM unnest(b.events) AS u(id) CROSS JOIN LATERAL (
    SELECT FROM events AS e WHERE e.organization_id = $1 AND e.id = u.id OFFSET 0
  ) AS e
)`

/** Events, and their batches. A retry of a webhook delivery waits for the locks, and then finds no event. */
export const events: Expiring = {
  table: "events",
  id: "id",
  batch: 1_000,
  lock: "FOR UPDATE SKIP LOCKED",
  kept: 1,
  erase: Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { before, end, ids, organizationId }) {
    // A separate statement: its snapshot includes deliveries that were committed before the locks were acquired.
    const deleted = yield* sql.unsafe(eraseEventsStatement, [organizationId, ids, DateTime.formatIso(before), end])
    if (deleted.length > 0) yield* sql.unsafe(eraseBatchesStatement, [organizationId, ids.at(-1)])
    return deleted.length
  })
}

/** Webhook attempts, deliveries and bodies. Attempts and deliveries can be much younger than their ids. */
export const webhookLogs: ReadonlyArray<Expiring> = [
  {
    table: "webhook_attempts",
    id: "delivery_id",
    batch: 1_000,
    erase: deleteRange("webhook_attempts", "delivery_id", "t.at >= $4")
  },
  {
    table: "webhook_deliveries",
    id: "id",
    batch: 1_000,
    erase: deleteRange("webhook_deliveries", "id", "t.status = 'pending' OR t.created_at >= $4")
  },
  {
    table: "webhook_bodies",
    id: "delivery_id",
    batch: 1_000,
    erase: deleteRange(
      "webhook_bodies",
      "delivery_id",
      `EXISTS (SELECT FROM webhook_deliveries AS d WHERE d.organization_id = $1 AND d.id = t.delivery_id
        AND d.id BETWEEN $2 AND $3)`
    )
  }
]

/** Subtracts deleted requests from the counts. */
const eraseRequestsStatement = /* sql */ `
WITH deleted AS (
  DELETE FROM api_key_activity WHERE organization_id = $1 AND api_key_id = $2 AND id BETWEEN $3 AND $4 AND at < $5
  RETURNING date_trunc('hour', at, 'UTC') AS hour, method, route, status
), hours AS (
  UPDATE api_key_usage AS u SET requests = u.requests - g.requests
  FROM (SELECT hour, method, route, status, count(*) AS requests FROM deleted GROUP BY 1, 2, 3, 4) AS g
  WHERE u.organization_id = $1 AND u.api_key_id = $2
    AND (u.hour, u.method, u.route, u.status) = (g.hour, g.method, g.route, g.status)
  RETURNING 1
), totals AS (
  UPDATE api_key_totals AS t SET requests = t.requests - g.requests
  FROM (SELECT method, route, status, count(*) AS requests FROM deleted GROUP BY 1, 2, 3) AS g
  WHERE (SELECT count(*) FROM hours) IS NOT NULL AND t.organization_id = $1 AND t.api_key_id = $2
    AND (t.method, t.route, t.status) = (g.method, g.route, g.status)
)
SELECT count(*)::int AS count FROM deleted`

/** The requests of API keys. */
export const keyActivity: Expiring = {
  table: "api_key_activity",
  id: "id",
  owners: "api_keys",
  where: "t.api_key_id = o.id",
  batch: 5_000,
  erase: (sql, { before, id, ids, organizationId }) =>
    Effect.map(
      sql.unsafe<{ readonly count: number }>(eraseRequestsStatement, [
        organizationId,
        id,
        ids[0],
        ids.at(-1),
        DateTime.formatIso(before)
      ]),
      ([row]) => row?.count ?? 0
    )
}

/** The logs of blocks. The blocks stay. */
export const blockLogs: Expiring = {
  table: "email_block_logs",
  id: "id",
  batch: 1_000,
  erase: deleteRange("email_block_logs", "id")
}

/** The entries of the audit log. */
export const auditEntries: Expiring = {
  table: "audit_entries",
  id: "id",
  batch: 1_000,
  erase: deleteRange("audit_entries", "id")
}

const mailsOfPage = "SELECT mail_id FROM forwardings WHERE organization_id = $1 AND id = ANY ($2::uuid[])"

/** The lock stops workers from processing these mails until the transaction has decided on their forwardings. */
const lockMailsStatement = /* sql */ `
SELECT FROM inbound_mails WHERE organization_id = $1 AND id IN (${mailsOfPage}) ORDER BY id FOR UPDATE`

/**
 * Erases all forwardings of a mail together: a worker that processes the mail again would otherwise repeat the
 * decision. Without a local copy, forwardings stay for seven days: a relay may return the mail after five (RFC 5321
 * section 4.5.4.1), and it must then be received. The counts of catch-alls include erased forwardings.
 */
const eraseForwardingsStatement = /* sql */ `
WITH deleted AS (
  DELETE FROM forwardings AS f WHERE f.organization_id = $1 AND f.mail_id IN (${mailsOfPage})
    AND NOT EXISTS (SELECT FROM forwardings AS o WHERE o.organization_id = $1 AND o.mail_id = f.mail_id
      AND (o.id >= $3::uuid OR o.status = 'waiting'
        OR o.status = 'forwarded' AND NOT o.keep_copy AND o.settled_at > now() - interval '7 days'))
    AND NOT EXISTS (SELECT FROM inbound_mails AS m
      WHERE m.organization_id = $1 AND m.id = f.mail_id AND m.processed_at IS NULL AND m.raw IS NOT NULL)
  RETURNING f.organization_id, f.mail_id, f.domain_id, f.status
), counted AS (
  INSERT INTO catch_all_counts AS c (organization_id, domain_id, hour, forwarded)
  SELECT organization_id, domain_id, 'epoch', count(DISTINCT mail_id) FROM deleted
  WHERE domain_id IS NOT NULL AND status = 'forwarded'
  GROUP BY organization_id, domain_id ORDER BY organization_id, domain_id
  ON CONFLICT (organization_id, domain_id, hour) DO UPDATE SET forwarded = c.forwarded + excluded.forwarded
)
SELECT count(*)::int AS count FROM deleted`

/** The logs of finished forwardings. */
export const forwardings: Expiring = {
  table: "forwardings",
  id: "id",
  batch: 500,
  erase: Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { end, ids, organizationId }) {
    yield* sql.unsafe(lockMailsStatement, [organizationId, ids])
    // A separate statement: its snapshot includes changes that were committed before the locks were acquired.
    const [row] = yield* sql.unsafe<{ readonly count: number }>(eraseForwardingsStatement, [organizationId, ids, end])
    return row?.count ?? 0
  })
}
