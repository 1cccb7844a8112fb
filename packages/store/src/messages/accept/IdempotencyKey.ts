import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Duration } from "effect"
import { stillStands } from "./FindReplays.js"

/**
 * The part of the accept statement that finds repetitions by what the statement's snapshot shows: `fresh` are the sends
 * that repeat nothing. `claimedPart` proves it.
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
      SELECT c.message_id, c.accepted_at > now() - make_interval(secs => s.window_seconds) AND ${stillStands} AS stands
      FROM message_contents AS c WHERE c.organization_id = s.organization_id AND c.content_hash = s.content_hash LIMIT 1
    ) AS c ON true
  WHERE CASE WHEN s.key IS NOT NULL THEN k.message_id IS NULL ELSE s.window_seconds = 0 OR c.stands IS NOT TRUE END
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

/** What `freshPart` reads. */
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
