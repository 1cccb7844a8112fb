import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { type Plan, planLimits } from "@switchboard/domain/organizations/Organization"
import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Duration, Effect } from "effect"
import { stillStands } from "./FindReplay.js"

/**
 * Claims the keys, remembers the contents, and counts what is new: one statement, and one update of the usage an
 * organization, whatever the size of the batch. Locks are taken in the same order everywhere: keys, contents, usage.
 */
const claimStatement = /* sql */ `
WITH given AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g(ord int, organization_id uuid, message_id uuid, key text,
    fingerprint text, content_hash text, window_seconds float8, counted boolean)
), claimed AS (
  INSERT INTO message_claims (organization_id, key, fingerprint, message_id)
  SELECT organization_id, key, fingerprint, message_id FROM given WHERE key IS NOT NULL ORDER BY organization_id, key
  ON CONFLICT (organization_id, key) DO NOTHING RETURNING message_id
), remembered AS (
  INSERT INTO message_contents AS c (organization_id, content_hash, message_id)
  SELECT DISTINCT ON (organization_id, content_hash) organization_id, content_hash, message_id FROM given
  WHERE key IS NULL OR message_id IN (SELECT message_id FROM claimed)
  ORDER BY organization_id, content_hash, key NULLS FIRST, ord
  ON CONFLICT (organization_id, content_hash) DO UPDATE SET message_id = EXCLUDED.message_id, accepted_at = now()
  WHERE c.accepted_at <= now() - make_interval(secs => (
      SELECT CASE WHEN g.key IS NULL THEN g.window_seconds ELSE 0 END FROM given AS g WHERE g.message_id = EXCLUDED.message_id))
    OR NOT ${stillStands}
  RETURNING c.message_id
), fresh AS MATERIALIZED (
  SELECT g.* FROM given AS g WHERE g.message_id IN (SELECT message_id FROM claimed)
    OR (g.key IS NULL AND (g.window_seconds = 0 OR g.message_id IN (SELECT message_id FROM remembered)))
), sums AS MATERIALIZED (
  SELECT organization_id, count(*) FILTER (WHERE counted) AS counted, count(*) AS kept FROM fresh GROUP BY organization_id
), locked AS MATERIALIZED (
  SELECT u.organization_id FROM organization_usage AS u
  WHERE u.organization_id IN (SELECT organization_id FROM sums) ORDER BY u.organization_id FOR UPDATE
), usage AS (
  UPDATE organization_usage AS u SET
    month = t.month,
    messages_used = u.messages_used + s.counted,
    email_used = u.email_used + s.counted,
    messages_used_this_month = CASE WHEN u.month = t.month THEN u.messages_used_this_month ELSE 0 END + s.counted,
    email_used_this_month = CASE WHEN u.month = t.month THEN u.email_used_this_month ELSE 0 END + s.counted,
    messages_kept = u.messages_kept + s.kept
  FROM locked AS l, sums AS s, (SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month) AS t
  WHERE u.organization_id = l.organization_id AND s.organization_id = l.organization_id
  RETURNING u.organization_id, u.messages_used_this_month
)
SELECT f.message_id, f.counted, u.messages_used_this_month::float8 AS used, o.plan
FROM fresh AS f JOIN usage AS u ON u.organization_id = f.organization_id
  JOIN organizations AS o ON o.id = f.organization_id
ORDER BY f.ord`

/** Takes back what `claimStatement` did for messages that their plan does not allow. */
const refuseStatement = /* sql */ `
WITH refused AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS r(organization_id uuid, message_id uuid)
), unclaimed AS (
  DELETE FROM message_claims AS k USING refused AS r
  WHERE k.organization_id = r.organization_id AND k.message_id = r.message_id
), forgotten AS (
  DELETE FROM message_contents AS c USING refused AS r
  WHERE c.organization_id = r.organization_id AND c.message_id = r.message_id
)
UPDATE organization_usage AS u SET
  messages_used = u.messages_used - s.refused,
  email_used = u.email_used - s.refused,
  messages_used_this_month = u.messages_used_this_month - s.refused,
  email_used_this_month = u.email_used_this_month - s.refused,
  messages_kept = u.messages_kept - s.refused
FROM (SELECT organization_id, count(*) AS refused FROM refused GROUP BY organization_id) AS s
WHERE u.organization_id = s.organization_id`

interface FreshRow {
  readonly message_id: MessageId
  readonly counted: boolean
  /** The organization's messages this month, with all of this batch. */
  readonly used: number
  readonly plan: Plan
}

/** What became of the batch's claims: new messages, and those that are over their plan. All others are repetitions. */
export interface Claims {
  readonly fresh: ReadonlySet<MessageId>
  readonly refused: ReadonlyMap<MessageId, { readonly currentUsage: number; readonly limit: number }>
}

/** Decides for each message of a batch whether it is new, and counts it. To be run in the transaction that stores them. */
export const claimSends = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, batch: ReadonlyArray<NewMessage>) {
  const given = batch.map(({ facts, identity }, ord) => ({
    ord,
    organization_id: facts.organizationId,
    message_id: facts.id,
    key: identity.claim?.key ?? null,
    fingerprint: identity.claim?.fingerprint ?? null,
    content_hash: identity.contentHash,
    window_seconds: Duration.toSeconds(identity.dedupeWindow),
    counted: !facts.isTest
  }))
  const rows = yield* sql.unsafe<FreshRow>(claimStatement, [JSON.stringify(given)])

  const organizations = new Map(batch.map(({ facts }) => [facts.id, facts.organizationId]))
  const excess = new Map<string, number>()
  const refused = new Map<MessageId, { readonly currentUsage: number; readonly limit: number }>()
  // The last of the batch are those too many: whoever came first is served.
  for (const { counted, message_id, plan, used } of [...rows].reverse()) {
    const organization = organizations.get(message_id)
    const limit = planLimits[plan]
    if (organization === undefined || !counted) continue
    const left = excess.get(organization) ?? used - limit
    if (left > 0) refused.set(message_id, { currentUsage: limit, limit })
    excess.set(organization, left - 1)
  }
  if (refused.size > 0) {
    const records = [...refused.keys()].map((id) => ({ organization_id: organizations.get(id), message_id: id }))
    yield* sql.unsafe(refuseStatement, [JSON.stringify(records)])
  }
  const claims: Claims = {
    fresh: new Set(rows.map(({ message_id }) => message_id).filter((id) => !refused.has(id))),
    refused
  }
  return claims
})
