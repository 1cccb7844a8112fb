import type { MessageId } from "@switchboard/domain/messages/Message"
import type { Plan } from "@switchboard/domain/organizations/Plan"
import type { ParticipantId, ParticipantType } from "@switchboard/domain/participants/Participant"
import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Array } from "effect"
import { prepared } from "../../database/Prepared.js"
import { notify, queueTables } from "../../queues/QueueTables.js"
import { participantRecords, participantsPart } from "./FindOrMakeParticipants.js"
import { claimedPart, freshPart, sendRecords } from "./IdempotencyKey.js"
import { acceptEvents, attachmentRecords, attachmentsPart, messageRecord, messagesPart } from "./InsertMessages.js"
import { countUsagePart, planLimitPart } from "./PlanLimit.js"

/**
 * Everything about a batch of sends in one statement, which is its own transaction: one round trip, one commit, one
 * notification. It decides by its snapshot, and what it writes proves the decision: where another transaction was
 * quicker, a constraint is violated and the whole statement is tried again, with a snapshot that shows the other.
 *
 * ```
 * $1 sends ── fresh ── judged ─┬─ refused                            answered 402
 *   IdempotencyKey  PlanLimit  └─ accepted ─┬─ claimed, remembered   IdempotencyKey: keys and contents
 * $2 wanted ── who ─────────────────────────┤                        FindOrMakeParticipants
 * $3 messages, $4 events ───────────────────┼─ given ── stored, states, links, ready or waiting, told   InsertMessages
 * $5 attachments, $6 their contents ────────┼─ attached              InsertMessages
 *                                           └─ usage                 PlanLimit, last: the counter of the month
 * ```
 *
 * What others may wait for is locked in the same order everywhere, by organization and key: claims, contents,
 * addresses, usage. Nothing but a read makes PostgreSQL run one writing part before another: hence the counts of rows
 * that nobody needs.
 */
export const acceptStatement = prepared(
  "accept_messages",
  /* sql */ `
WITH ${freshPart("$1")}, ${planLimitPart}, ${claimedPart}, ${participantsPart("$2")}, ${attachmentsPart("$5", "$6")},
${messagesPart("$3", "$4")}, ${countUsagePart}
SELECT
  (SELECT json_agg(json_build_object('id', id, 'from', from_participant_id, 'to', to_participant_ids)) FROM given)
    AS accepted,
  (SELECT json_agg(r) FROM refused AS r) AS refused,
  (SELECT json_agg(json_build_object('id', id, 'address', address, 'name', name, 'displayName', display_name,
    'type', type)) FROM wanted) AS participants,
  CASE WHEN EXISTS (SELECT 1 FROM ready) THEN ${notify(queueTables.message)} END AS notified`
)

/** The statement's one row. Whoever is neither accepted nor refused is a repetition. */
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
    readonly address: string
    readonly name: string
    readonly displayName: string | null
    readonly type: ParticipantType
  }> | null
}

/** The statement's parameters. */
export const acceptParameters = (batch: ReadonlyArray<NewMessage>): ReadonlyArray<unknown> => {
  const { addressed, wanted } = participantRecords(batch)
  return [
    JSON.stringify(sendRecords(batch)),
    JSON.stringify(wanted),
    JSON.stringify(Array.zipWith(batch, addressed, messageRecord)),
    JSON.stringify(batch.flatMap(acceptEvents)),
    JSON.stringify(batch.flatMap(attachmentRecords)),
    batch.flatMap(({ attachments }) => attachments.map(({ content }) => Buffer.from(content)))
  ]
}
