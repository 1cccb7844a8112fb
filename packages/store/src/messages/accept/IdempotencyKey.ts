import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Duration } from "effect"
import { canBeReplayed } from "./FindReplays.js"

/**
 * The CTEs of the accept statement that find repetitions in the statement's snapshot. `fresh` are the sends that are
 * not repetitions. `claimedPart` checks this decision.
 */
export const freshPart = (sends: string) => /* sql */ `
sends AS MATERIALIZED (
  SELECT * FROM json_to_recordset(${sends}::json) AS s(ord int, organization_id uuid, id uuid, key text,
    fingerprint text, content_hash text, window_seconds float8, is_test boolean)
), fresh AS MATERIALIZED (
  SELECT s.*, c.message_id AS content_of FROM sends AS s
    LEFT JOIN LATERAL (
      SELECT k.message_id FROM message_claims AS k WHERE k.organization_id = s.organization_id AND k.key = s.key LIMIT 1
    ) AS k ON true
    LEFT JOIN LATERAL (
      SELECT c.message_id, c.accepted_at > now() - make_interval(secs => s.window_seconds) AND ${canBeReplayed} AS is_replayed
      FROM message_contents AS c WHERE c.organization_id = s.organization_id AND c.content_hash = s.content_hash LIMIT 1
    ) AS c ON true
  WHERE CASE WHEN s.key IS NOT NULL THEN k.message_id IS NULL ELSE s.window_seconds = 0 OR c.is_replayed IS NOT TRUE END
)`

/**
 * The CTEs that store idempotency keys and content hashes. A key that another transaction stored since the snapshot
 * violates the primary key; a content that belongs to another message by now makes `message_id` NULL. Both abort the
 * statement. A send with a key is never a repetition by content: it replaces the content's message.
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

/** The input of `freshPart`. */
export const sendRecords = (batch: ReadonlyArray<NewMessage>) =>
  batch.map(({ facts, identity }, ord) => ({
    ord,
    organization_id: facts.organizationId,
    id: facts.id,
    key: identity.idempotencyKey?.key ?? null,
    fingerprint: identity.idempotencyKey?.fingerprint ?? null,
    content_hash: identity.contentHash,
    window_seconds: Duration.toSeconds(identity.dedupeWindow),
    is_test: facts.isTest
  }))
