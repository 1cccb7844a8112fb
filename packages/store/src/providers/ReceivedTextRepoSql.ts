import { SqlClient } from "@effect/sql"
import { untracked } from "@switchboard/domain/email/tracking/Tracking"
import { addressKindOf, type MessageId } from "@switchboard/domain/messages/Message"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import {
  type MakeText,
  type NewReceivedText,
  ReceivedTextRepo,
  type StoredText
} from "@switchboard/services/providers/ReceivedTextRepo"
import { Array, DateTime, Effect, Either, Layer, Option } from "effect"
import { insertConversationEvents } from "../conversations/InsertConversationEvents.js"
import { joinConversation } from "../conversations/JoinConversation.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { factColumns, factRecord, factRecordColumns } from "../messages/MessageRows.js"
import { insertReceivedFiles, receivedFiles } from "../messages/ReceivedFiles.js"
import { eventColumns, messageEvent, stateRecord, stateRecordColumns } from "../messages/StateRows.js"
import { countInserted } from "../organizations/OrganizationCounts.js"
import { findOrCreateParticipant } from "../participants/FindOrCreateParticipant.js"
import { renewWindow } from "../whatsapp/ServiceWindowRepoSql.js"
import { eventFromRow, providerEventColumns } from "./ProviderEventQueueSql.js"
import { findAnswered, findTextParent, lockPhone, placeText, type TextPlacement } from "./TextPlacement.js"

const isText = (event: ReturnType<typeof eventFromRow>): event is StoredText => event.event._tag === "ReceivedText"

/** The stored parts of an event's text. Empty if the event was processed. */
const findParts = (sql: SqlClient.SqlClient, { id, organizationId }: StoredText) =>
  Effect.map(
    sql`SELECT ${sql.literal(providerEventColumns)} FROM provider_events AS own JOIN provider_events AS e
        ON e.organization_id = own.organization_id AND (e.id = own.id OR e.part_of = own.part_of)
      WHERE own.organization_id = ${organizationId} AND own.id = ${id} ORDER BY e.id`,
    (rows) => rows.map(eventFromRow).filter(isText)
  )

/** Deletes events with their queue entries, which other workers may hold. Entries first, as `settle` locks them. */
const deleteEvents = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { eventIds, facts: { organizationId } }: NewReceivedText
) {
  yield* sql`DELETE FROM provider_event_queue WHERE ctid = ANY (ARRAY(SELECT ctid FROM provider_event_queue
    WHERE organization_id = ${organizationId} AND id = ANY (${eventIds}::uuid[]) ORDER BY id FOR UPDATE))`
  yield* sql`DELETE FROM provider_event_waiting
    WHERE organization_id = ${organizationId} AND id = ANY (${eventIds}::uuid[])`
  yield* sql`DELETE FROM provider_events WHERE organization_id = ${organizationId} AND id = ANY (${eventIds}::uuid[])`
})

/** The participants of a text, created if missing: the phone as a contact, the number as a sender. */
const textParticipants = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { facts: { channel, organizationId }, name, number, phone }: NewReceivedText
) {
  const find = (address: string, newName: string, type: "contact" | "sender") =>
    findOrCreateParticipant(
      sql,
      organizationId,
      { kind: addressKindOf[channel], address: address.toLowerCase() },
      { name: newName, displayName: null, type }
    )
  const from = yield* find(phone, name ?? phone, "contact")
  const to = yield* find(number, number, "sender")
  return { from: from.id, to: to.id, created: [from, to].filter(({ isNew }) => isNew).length }
})

/** The participants, parent and place of a received text. */
interface TextFindings {
  readonly from: ParticipantId
  readonly to: ParticipantId
  readonly parentMessageId: MessageId | null
  readonly place: TextPlacement
  readonly currency: string
  readonly isTest: boolean
}

const insertStatement = /* sql */ `
WITH new_messages AS MATERIALIZED (
  SELECT * FROM json_to_record($1::json) AS g(from_participant_id uuid, to_participant_id uuid, ${factRecordColumns},
    attachments json, ${stateRecordColumns})
), stored AS (
  INSERT INTO messages (from_participant_id, to_participant_ids, ${factColumns})
  SELECT from_participant_id, ARRAY[to_participant_id], ${factColumns} FROM new_messages
), links AS (
  INSERT INTO message_participants (organization_id, participant_id, message_id)
  SELECT DISTINCT g.organization_id, p.id, g.id
  FROM new_messages AS g CROSS JOIN LATERAL unnest(ARRAY[g.from_participant_id, g.to_participant_id]) AS p(id)
), files AS (${insertReceivedFiles}
)
INSERT INTO message_states (organization_id, message_id, status, status_history, deliveries, provider_message_id,
  delivered_at, retry_count, max_retries, delivery_attempts, updated_at)
SELECT organization_id, id, status, status_history, deliveries, provider_message_id, delivered_at, retry_count,
  state_max_retries, delivery_attempts, updated_at FROM new_messages`

const insertText = (
  sql: SqlClient.SqlClient,
  { addressing, facts, files, state }: NewReceivedText,
  { currency, from, isTest, parentMessageId, place: { conversationId }, to }: TextFindings
) =>
  sql.unsafe(insertStatement, [
    JSON.stringify({
      from_participant_id: from,
      to_participant_id: to,
      ...factRecord({
        facts: { ...facts, conversationId, threadId: null, parentMessageId, currency, isTest },
        addressing,
        attachments: files,
        ...untracked,
        traceParent: null
      }),
      attachments: receivedFiles(files),
      ...stateRecord(state)
    })
  ])

/** Stores a text with its events and counts. Requires the transaction that deletes its events. */
const storeText = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, text: NewReceivedText) {
  const { channel, createdAt, id, organizationId } = text.facts
  const { created, from, to } = yield* textParticipants(sql, text)
  const placed = { organizationId, channel, from, number: text.number, receivedAt: createdAt }
  const answered = text.answers === null ? Option.none() : yield* findAnswered(sql, placed, text.answers)
  const parent = Option.isSome(answered) ? answered : yield* findTextParent(sql, placed)
  const place = yield* placeText(sql, placed, parent)
  if (text.window !== null) yield* renewWindow(sql, organizationId, from, text.window)
  const [organization] = yield* sql<{ currency: string }>`SELECT default_currency AS currency FROM organizations
    WHERE id = ${organizationId}`
  yield* insertText(sql, text, {
    from,
    to,
    place,
    parentMessageId: Option.getOrNull(Option.map(parent, (found) => found.id)),
    currency: organization?.currency ?? "USD",
    isTest: Option.exists(parent, (found) => found.isTest)
  })
  const joined = yield* joinConversation(sql, organizationId, place.conversationId, [from, to])
  const events = text.state.statusHistory.map((entry) => messageEvent(organizationId, id, "message.received", entry))
  yield* sql`INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
    SELECT organization_id, id, type, subject_id, data, created_at
    FROM json_to_recordset(${JSON.stringify(events)}::json) AS e(${sql.literal(eventColumns)})`
  yield* insertConversationEvents(sql, organizationId, place.conversationId, [
    ...place.events,
    ...(!place.isNew && joined > 0 ? (["conversation.participant_added"] as const) : [])
  ])
  yield* countInserted(sql, organizationId, { messages: 1, participants: created, conversations: place.isNew ? 1 : 0 })
})

const receive = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, event: StoredText, make: MakeText) {
  yield* lockPhone(sql, event.organizationId, event.event.from)
  const parts = yield* findParts(sql, event)
  if (!Array.isNonEmptyReadonlyArray(parts)) return Option.none<DateTime.Utc>()
  const made = make(parts)
  if (Either.isLeft(made)) return Option.some(made.left)
  yield* deleteEvents(sql, made.right)
  yield* storeText(sql, made.right)
  // The event can be of a later text with the same reference.
  return made.right.eventIds.includes(event.id) ? Option.none() : Option.some(yield* DateTime.now)
})

/** Received texts, in the tables of messages and conversations. */
export const ReceivedTextRepoSql = Layer.effect(
  ReceivedTextRepo,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    receive: (event, make) => receive(sql, event, make).pipe(sql.withTransaction, retryConflicts, orUnavailable)
  }))
)
