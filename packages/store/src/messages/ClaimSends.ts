import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Duration } from "effect"
import { stillStands } from "./FindReplays.js"
import { planLimit, usedThisMonth } from "./PlanRoom.js"

/**
 * The part of the accept statement that decides, by what the statement's snapshot shows: `fresh` repeats nothing, and
 * of it `accepted` is within the plan, `refused` beyond: the last of a batch are those too many, for whoever came
 * first is served. All else is a repetition. Whether it holds when it is written is for `claimedPart` and
 * `countUsagePart` to see.
 */
export const judgedPart = (sends: string) => /* sql */ `
sends AS MATERIALIZED (
  SELECT * FROM json_to_recordset(${sends}::json) AS s(ord int, organization_id uuid, id uuid, key text,
    fingerprint text, content_hash text, window_seconds float8, is_test boolean)
), fresh AS MATERIALIZED (
  SELECT s.*, c.message_id AS content_of FROM sends AS s
    LEFT JOIN LATERAL (
      SELECT k.message_id FROM message_claims AS k WHERE k.organization_id = s.organization_id AND k.key = s.key LIMIT 1
    ) AS k ON true
    LEFT JOIN LATERAL (
      SELECT c.message_id, c.accepted_at > now() - make_interval(secs => s.window_seconds) AND ${stillStands} AS stands
      FROM message_contents AS c WHERE c.organization_id = s.organization_id AND c.content_hash = s.content_hash LIMIT 1
    ) AS c ON true
  WHERE CASE WHEN s.key IS NOT NULL THEN k.message_id IS NULL ELSE s.window_seconds = 0 OR c.stands IS NOT TRUE END
), rooms AS MATERIALIZED (
  SELECT f.organization_id, r.most, r.used, r.removed FROM (SELECT DISTINCT organization_id FROM fresh) AS f CROSS JOIN LATERAL (
    SELECT ${planLimit("o.plan")} AS most, ${usedThisMonth("messages_used_this_month")} AS used,
      u.participants_removed AS removed
    FROM organization_usage AS u JOIN organizations AS o ON o.id = u.organization_id
    WHERE u.organization_id = f.organization_id LIMIT 1
  ) AS r
), judged AS MATERIALIZED (
  SELECT f.*, r.most, r.used, f.is_test OR
    r.used + count(*) FILTER (WHERE NOT f.is_test) OVER (PARTITION BY f.organization_id ORDER BY f.ord) <= r.most AS allowed
  FROM fresh AS f JOIN rooms AS r ON r.organization_id = f.organization_id
), accepted AS MATERIALIZED (
  SELECT ord, organization_id, id, key, fingerprint, content_hash, window_seconds, content_of FROM judged WHERE allowed
), refused AS MATERIALIZED (
  SELECT id, most AS "limit", GREATEST(used, most) AS "currentUsage" FROM judged WHERE NOT allowed
)`

/**
 * The part that claims keys and remembers contents. A key that another transaction claimed since the snapshot violates
 * the primary key; a content that stands for another message by now makes the message's id null: either way nothing
 * of the statement stays. A send with a key is never a repetition of a content: it takes the content over.
 */
export const claimedPart = /* sql */ `
claimed AS (
  INSERT INTO message_claims (organization_id, key, fingerprint, message_id)
  SELECT organization_id, key, fingerprint, id FROM accepted WHERE key IS NOT NULL ORDER BY organization_id, key
  RETURNING 1
), remembered AS (
  INSERT INTO message_contents AS c (organization_id, content_hash, message_id)
  SELECT DISTINCT ON (organization_id, content_hash) organization_id, content_hash, id FROM accepted
  WHERE (SELECT count(*) FROM claimed) IS NOT NULL
  ORDER BY organization_id, content_hash, key NULLS FIRST, ord
  ON CONFLICT (organization_id, content_hash) DO UPDATE SET accepted_at = now(), message_id = (
    SELECT a.id FROM accepted AS a WHERE a.id = EXCLUDED.message_id
      AND (a.key IS NOT NULL OR a.window_seconds = 0 OR a.content_of = c.message_id))
  RETURNING 1
)`

/** What `judgedPart` reads. */
export const sendRecords = (batch: ReadonlyArray<NewMessage>) =>
  batch.map(({ facts, identity }, ord) => ({
    ord,
    organization_id: facts.organizationId,
    id: facts.id,
    key: identity.claim?.key ?? null,
    fingerprint: identity.claim?.fingerprint ?? null,
    content_hash: identity.contentHash,
    window_seconds: Duration.toSeconds(identity.dedupeWindow),
    is_test: facts.isTest
  }))
