import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, type Duration, Effect } from "effect"
import { bounds, earliest } from "./RetentionMarks.js"

/** Forwardings that one transaction looks at. */
export const forwardingsBatch = 500

/** Mails that are looked at, or come back, wait until what was decided of them is erased or stays. */
const pageStatement = /* sql */ `
WITH page AS MATERIALIZED (
  SELECT f.id, f.mail_id FROM forwardings AS f WHERE f.organization_id = $1 AND f.id > $2 AND f.id < $3
  ORDER BY f.id LIMIT ${forwardingsBatch}
), mails AS MATERIALIZED (
  SELECT m.id FROM inbound_mails AS m
  WHERE m.organization_id = $1 AND m.id IN (SELECT mail_id FROM page) ORDER BY m.id FOR UPDATE
)
SELECT p.id, p.mail_id AS mail FROM page AS p LEFT JOIN mails AS m ON m.id = p.mail_id ORDER BY p.id`

/**
 * A mail's forwardings go together, or whoever looks at it once more would decide again. Where no copy was kept, a relay
 * that gives up after five days (RFC 5321 section 4.5.4.1) still has the mail received.
 */
const eraseStatement = /* sql */ `
WITH done AS MATERIALIZED (
  SELECT p.id FROM unnest($2::uuid[]) AS p(id)
  WHERE NOT EXISTS (
    SELECT FROM forwardings AS f WHERE f.organization_id = $1 AND f.mail_id = p.id AND (
      f.id >= $3 OR f.status = 'waiting'
      OR f.status = 'forwarded' AND NOT f.keep_copy AND f.settled_at > now() - interval '7 days')
  ) AND NOT EXISTS (
    SELECT FROM inbound_mails AS m
    WHERE m.organization_id = $1 AND m.id = p.id AND m.processed_at IS NULL AND m.raw IS NOT NULL
  )
), gone AS (
  DELETE FROM forwardings AS f USING done AS d WHERE f.organization_id = $1 AND f.mail_id = d.id
  RETURNING f.mail_id, f.domain_id, f.status
), counted AS (
  INSERT INTO catch_all_counts AS c (organization_id, domain_id, hour, forwarded)
  SELECT $1::uuid, domain_id, 'epoch', count(DISTINCT mail_id) FROM gone
  WHERE domain_id IS NOT NULL AND status = 'forwarded' GROUP BY domain_id ORDER BY domain_id
  ON CONFLICT (organization_id, domain_id, hour) DO UPDATE SET forwarded = c.forwarded + excluded.forwarded
)
SELECT count(*)::int AS count FROM gone`

/**
 * Erases a batch of an organization's old forwardings, after an id; where the next batch begins. What catch-alls
 * forwarded stays counted. To be run in a transaction.
 */
export const eraseForwardings = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  kept: Duration.Duration,
  after: string
) {
  const { end, markable } = bounds(yield* DateTime.now, kept)
  // A worker that was thought lost may still be looking at what is so young.
  const before = earliest(end, markable)
  const page = yield* sql.unsafe<{ readonly id: string; readonly mail: string }>(pageStatement, [
    organization,
    after,
    before
  ])
  // Another statement, which sees what was committed before the locks were had.
  const mails = [...new Set(page.map(({ mail }) => mail))]
  const [gone] = yield* sql.unsafe<{ readonly count: number }>(eraseStatement, [organization, mails, before])
  const next = page.length < forwardingsBatch ? null : (page.at(-1)?.id ?? null)
  return { erased: gone?.count ?? 0, after: next }
})
