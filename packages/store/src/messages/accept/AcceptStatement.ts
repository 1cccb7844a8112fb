import type { MessageId } from "@switchboard/domain/messages/Message"
import type { Plan } from "@switchboard/domain/organizations/Plan"
import type { ParticipantId, ParticipantType } from "@switchboard/domain/participants/Participant"
import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Array } from "effect"
import { byteaArray } from "../../database/ByteaArray.js"
import { prepared } from "../../database/Prepared.js"
import { notifyOwner, queueTables } from "../../queues/QueueTables.js"
import { participantRecords, participantsPart } from "./FindOrCreateParticipants.js"
import { claimedPart, freshPart, sendRecords } from "./IdempotencyKey.js"
import { acceptEvents, attachmentRecords, attachmentsPart, messageRecord, messagesPart } from "./InsertMessages.js"
import { countUsagePart, planLimitPart } from "./PlanLimit.js"

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
export const acceptStatement = prepared(
  "accept_messages",
  /* sql */ `
WITH ${freshPart("$1")}, ${planLimitPart}, ${claimedPart}, ${participantsPart("$2")}, ${attachmentsPart("$5", "$6")},
${messagesPart("$3", "$4")}, ${countUsagePart}
SELECT
  (SELECT json_agg(json_build_object('id', id, 'from', from_participant_id, 'to', to_participant_ids)) FROM new_messages)
    AS accepted,
  (SELECT json_agg(r) FROM refused AS r) AS refused,
  (SELECT json_agg(json_build_object('id', id, 'address', address, 'name', name, 'displayName', display_name,
    'type', type)) FROM candidates) AS participants,
  ${notifyOwner(queueTables.message, "ready")} AS notified`
)

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
