import type { MessageId } from "@switchboard/domain/messages/Message"
import type { Plan } from "@switchboard/domain/organizations/Organization"
import { planLimits } from "@switchboard/domain/organizations/PlanLimit"
import type { AddressKind, ParticipantId, ParticipantType } from "@switchboard/domain/participants/Participant"
import type { SendingChannel } from "@switchboard/services/messages/delivery/DeliveryQueue"
import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Array, Duration, Record } from "effect"
import { byteaArray } from "../../database/ByteaArray.js"
import { prepared } from "../../database/Prepared.js"
import { currentMonth, usedThisMonth } from "../../organizations/PlanUsage.js"
import { channelQueues, notifyOwner, sendingChannels } from "../../queues/QueueTables.js"
import {
  acceptEvents,
  attachmentRecords,
  attachmentsPart,
  messageRecord,
  messagesPart,
  participantRecords,
  participantsPart
} from "./AcceptedRows.js"
import { canBeReplayed } from "./FindReplays.js"

const limits = Object.entries(planLimits).map(([plan, limit]) => `WHEN '${plan}' THEN '${limit}'::float8`)

/** SQL: the monthly message limit of an organization's plan. */
const planLimit = `CASE o.plan ${limits.join(" ")} END`

const monthly = usedThisMonth("messages_used_this_month")

/**
 * The CTEs of the accept statement that split `fresh` sends by the plan limit in the statement's snapshot: `accepted`,
 * and `refused` beyond it, the last of a batch first. Messages with `isTest` are not counted. `countUsagePart` checks
 * this decision.
 */
const planLimitPart = /* sql */ `
plan_limits AS MATERIALIZED (
  SELECT f.organization_id, r.plan, r.max_messages, r.used, r.removed
  FROM (SELECT DISTINCT organization_id FROM fresh) AS f CROSS JOIN LATERAL (
    SELECT o.plan, ${planLimit} AS max_messages, ${monthly} AS used, u.participants_removed AS removed
    FROM organization_usage AS u JOIN organizations AS o ON o.id = u.organization_id
    WHERE u.organization_id = f.organization_id LIMIT 1
  ) AS r
), judged AS MATERIALIZED (
  SELECT f.*, r.plan, r.used, f.is_test OR
    r.used + count(*) FILTER (WHERE NOT f.is_test) OVER (PARTITION BY f.organization_id ORDER BY f.ord) <= r.max_messages AS allowed
  FROM fresh AS f JOIN plan_limits AS r ON r.organization_id = f.organization_id
), accepted AS MATERIALIZED (
  SELECT ord, organization_id, id, key, fingerprint, content_hash, window_seconds, content_of FROM judged WHERE allowed
), refused AS MATERIALIZED (
  SELECT id, plan, used FROM judged WHERE NOT allowed
)`

/**
 * The CTEs that count stored messages and participants, with one update per organization regardless of the batch size. They run last, so
 * that the next batch waits for this row only during the commit. If the plan's limit was reached since the snapshot, or
 * a participant that a send may name was removed, the counter becomes NULL, which violates its constraint and aborts
 * the statement.
 */
const countUsagePart = (channels: ReadonlyArray<SendingChannel>) => /* sql */ `
sums AS MATERIALIZED (
  SELECT organization_id, count(*) FILTER (WHERE NOT is_test) AS counted, count(*) AS kept,
    ${channels.map((channel) => `count(*) FILTER (WHERE NOT is_test AND channel = '${channel}') AS ${channel}`).join(", ")}
  FROM stored WHERE (SELECT rows FROM written) IS NOT NULL GROUP BY organization_id
), locked AS MATERIALIZED (
  SELECT u.organization_id FROM organization_usage AS u
  WHERE u.organization_id IN (SELECT organization_id FROM sums) ORDER BY u.organization_id FOR UPDATE
), usage AS (
  UPDATE organization_usage AS u SET
    month = ${currentMonth},
    messages_used = u.messages_used + s.counted,
    ${channels.map((channel) => `${channel}_used = u.${channel}_used + s.${channel},`).join(" ")}
    messages_used_this_month = CASE WHEN u.participants_removed = r.removed
      AND (s.counted = 0 OR ${monthly} + s.counted <= r.max_messages) THEN ${monthly} + s.counted END,
    ${sendingChannels
      .map((channel) => {
        const used = `${channel}_used_this_month` as const
        return `${used} = ${usedThisMonth(used)}${channels.includes(channel) ? ` + s.${channel}` : ""},`
      })
      .join("\n    ")}
    messages_kept = u.messages_kept + s.kept,
    participants = u.participants + (SELECT count(*) FROM people AS p WHERE p.organization_id = u.organization_id)
  FROM locked AS l, sums AS s, plan_limits AS r
  WHERE u.organization_id = l.organization_id AND s.organization_id = l.organization_id
    AND r.organization_id = l.organization_id
)`

/**
 * The CTEs of the accept statement that find repetitions in the statement's snapshot. `fresh` are the sends that are
 * not repetitions. `claimedPart` checks this decision.
 */
const freshPart = (sends: string) => /* sql */ `
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
const claimedPart = /* sql */ `
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
const sendRecords = (batch: ReadonlyArray<NewMessage>) =>
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

/**
 * Stores a batch of sends in one statement, which is its own transaction: one round trip, one commit, one
 * notification. Decisions are based on the statement's snapshot, and constraints check them: if another transaction
 * was faster, a constraint fails and the complete statement is retried with a newer snapshot.
 *
 * ```
 * $1 sends ── fresh ── judged ─┬─ refused                            response 402
 *   IdempotencyKey  PlanLimit  └─ accepted ─┬─ claimed, remembered   IdempotencyKey: keys and contents
 * $2 candidates ── resolved ────────────────┤                        FindOrCreateParticipants
 * $3 messages, $4 events ───────────────────┼─ new_messages ── stored, states, links, ready or waiting,
 *                                           │           written_events   InsertMessages
 * $5 attachments, $6 their contents ────────┼─ attached              InsertMessages
 *                                           └─ usage                 PlanLimit, last: the counter of the month
 * ```
 *
 * Rows that other transactions may wait for are locked in the same order everywhere, by organization and key: claims,
 * contents, addresses, usage. PostgreSQL orders the writing CTEs of a statement only if one reads another: this is the
 * purpose of the row counts that are not used otherwise.
 */
const statementFor = (name: string, channels: ReadonlyArray<SendingChannel>) =>
  prepared(
    `accept_${name}`,
    /* sql */ `
WITH ${freshPart("$1")}, ${planLimitPart}, ${claimedPart}, ${participantsPart("$2")}, ${attachmentsPart("$5", "$6")},
${messagesPart("$3", "$4", channels)}, ${countUsagePart(channels)}
SELECT
  (SELECT json_agg(json_build_object('id', id, 'from', from_participant_id, 'to', to_participant_ids)) FROM new_messages)
    AS accepted,
  (SELECT json_agg(r) FROM refused AS r) AS refused,
  (SELECT json_agg(json_build_object('id', id, 'kind', kind, 'address', address, 'name', name, 'displayName', display_name,
    'type', type)) FROM candidates) AS participants,
  ${channels.map((channel) => `${notifyOwner(channelQueues[channel], `ready_${channel}`)} AS notified_${channel}`).join(",\n  ")}`
  )

/** The statement of a channel has no parts for the queues of others: each part costs time in every batch. */
const statements = Record.fromEntries(
  sendingChannels.map((channel) => [channel, statementFor(channel, [channel])] as const)
)

const mixedStatement = statementFor("mixed", sendingChannels)

/** The statement that accepts a batch: that of its channel, or the one of several channels. */
export const acceptStatement = ([first, ...others]: ReadonlyArray<NewMessage>) => {
  const channel = first?.facts.channel
  const isOnly = others.every(({ facts }) => facts.channel === channel)
  return (isOnly && channel !== undefined && channel !== "voice" ? statements[channel] : undefined) ?? mixedStatement
}

/** The statement's only row. A send that is neither accepted nor refused is a repetition. */
export interface AcceptRow {
  readonly accepted: ReadonlyArray<{
    readonly id: MessageId
    readonly from: ParticipantId
    readonly to: ReadonlyArray<ParticipantId>
  }> | null
  readonly refused: ReadonlyArray<{
    readonly id: MessageId
    readonly plan: Plan
    readonly used: number
  }> | null
  readonly participants: ReadonlyArray<{
    readonly id: ParticipantId
    readonly kind: AddressKind
    readonly address: string
    readonly name: string
    readonly displayName: string | null
    readonly type: ParticipantType
  }> | null
}

/** The statement's parameters. */
export const acceptParameters = (batch: ReadonlyArray<NewMessage>): ReadonlyArray<unknown> => {
  const { addressed, candidates } = participantRecords(batch)
  return [
    JSON.stringify(sendRecords(batch)),
    JSON.stringify(candidates),
    JSON.stringify(Array.zipWith(batch, addressed, messageRecord)),
    JSON.stringify(batch.flatMap(acceptEvents)),
    JSON.stringify(batch.flatMap(attachmentRecords)),
    byteaArray(batch.flatMap(({ attachments }) => attachments.map(({ content }) => content)))
  ]
}
