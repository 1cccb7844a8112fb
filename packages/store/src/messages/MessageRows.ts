import type { SqlClient } from "@effect/sql"
import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import {
  type ApiRequestMetadata,
  type Channel,
  type ConversationId,
  type EmailContent,
  type EmailMetadata,
  Message,
  type MessageId
} from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { MessageParticipant, ParticipantId } from "@switchboard/domain/participants/Participant"
import type { MessageFacts } from "@switchboard/services/messages/MessageRepo"
import { DateTime, Effect, Option } from "effect"
import { participantJson } from "../participants/ParticipantRows.js"
import { type StateRow, stateColumns, stateFromRow } from "./StateRows.js"

/** The column `addressing`: an e-mail's metadata without its deliveries. */
export type Addressing = Omit<EmailMetadata, "deliveries">

/** A row of `messages` joined with its state, as `messageColumns` selects it. */
export interface MessageRow extends StateRow {
  readonly id: MessageId
  readonly organization_id: OrganizationId
  readonly conversation_id: ConversationId | null
  readonly thread_id: string | null
  readonly parent_message_id: MessageId | null
  readonly from_participant_id: ParticipantId
  readonly to_participant_ids: ReadonlyArray<ParticipantId>
  readonly participant_metadata: unknown
  readonly channel: Channel
  readonly direction: "outbound" | "inbound"
  readonly content: EmailContent
  readonly addressing: Addressing
  readonly scheduled_at: Date | null
  readonly cost: string
  readonly currency: string
  readonly max_retries: number
  readonly queue_message_id: string | null
  readonly tags: ReadonlyArray<string>
  readonly categories: ReadonlyArray<string>
  readonly is_test: boolean
  readonly is_internal: boolean
  readonly is_automated: boolean
  readonly external_id: string | null
  readonly reference_id: string | null
  readonly api_key_id: ApiKeyId | null
  readonly http_method: string | null
  readonly api_request_metadata: ApiRequestMetadata | null
  readonly created_at: Date
  readonly created_by: string | null
  readonly participants: ReadonlyArray<MessageParticipant> | null
}

/** The participants of `messages AS m`. Read with the message: a second statement would double the cost of a lookup. */
export const messageParticipants = `(SELECT json_agg(${participantJson}) FROM participants AS p
  WHERE p.organization_id = m.organization_id AND p.id = ANY (m.from_participant_id || m.to_participant_ids)
) AS participants`

/** The columns of `messageTables` for a `MessageRow`. */
export const messageColumns = `m.*, ${stateColumns}, ${messageParticipants}`

/** Joined to `messages AS m`: their states. */
export const messageStates = "JOIN message_states AS s ON s.organization_id = m.organization_id AND s.message_id = m.id"

/** `messages AS m` joined with `message_states AS s`. */
export const messageTables = `messages AS m ${messageStates}`

/** The columns of an `INSERT INTO messages` without its participants, with their types as JSON records. */
const factTypes = {
  organization_id: "uuid",
  id: "uuid",
  conversation_id: "uuid",
  thread_id: "uuid",
  parent_message_id: "uuid",
  channel: "text",
  direction: "text",
  content: "json",
  addressing: "json",
  scheduled_at: "timestamptz",
  cost: "text",
  currency: "text",
  max_retries: "int",
  queue_message_id: "uuid",
  tags: "text[]",
  categories: "text[]",
  is_test: "boolean",
  is_internal: "boolean",
  is_automated: "boolean",
  external_id: "text",
  reference_id: "text",
  api_key_id: "uuid",
  http_method: "text",
  api_request_metadata: "json",
  attachment_count: "int",
  track_opens: "boolean",
  trace_parent: "text",
  created_at: "timestamptz"
}

/** The columns of an `INSERT INTO messages` without its participants. */
export const factColumns = Object.keys(factTypes).join(", ")

/** The same columns in a `json_to_recordset`, as `factRecord` writes them. */
export const factRecordColumns = Object.entries(factTypes)
  .map(([column, type]) => `${column} ${type}`)
  .join(", ")

/** A message to store, without its participants and its state. */
export interface NewFacts {
  readonly facts: Omit<MessageFacts, "fromParticipantId" | "toParticipantIds">
  readonly addressing: Addressing
  readonly attachments: ReadonlyArray<unknown>
  readonly trackOpens: boolean
  readonly traceParent: string | null
}

/** The facts of a message as a record for `json_to_recordset`. */
export const factRecord = ({ addressing, attachments, facts, traceParent, trackOpens }: NewFacts) =>
  ({
    organization_id: facts.organizationId,
    id: facts.id,
    conversation_id: facts.conversationId,
    thread_id: facts.threadId,
    parent_message_id: facts.parentMessageId,
    channel: facts.channel,
    direction: facts.direction,
    content: facts.content,
    addressing,
    scheduled_at: facts.scheduledAt,
    cost: facts.cost,
    currency: facts.currency,
    max_retries: facts.maxRetries,
    queue_message_id: facts.queueMessageId,
    tags: facts.tags,
    categories: facts.categories,
    is_test: facts.isTest,
    is_internal: facts.isInternal,
    is_automated: facts.isAutomated,
    external_id: facts.externalId,
    reference_id: facts.referenceId,
    api_key_id: facts.apiKeyId,
    http_method: facts.httpMethod,
    api_request_metadata: facts.apiRequestMetadata,
    attachment_count: attachments.length,
    track_opens: trackOpens,
    trace_parent: traceParent,
    created_at: facts.createdAt
  }) satisfies Record<keyof typeof factTypes, unknown>

const factsFromRow = (row: MessageRow): MessageFacts => ({
  id: row.id,
  organizationId: row.organization_id,
  conversationId: row.conversation_id,
  threadId: row.thread_id,
  parentMessageId: row.parent_message_id,
  fromParticipantId: row.from_participant_id,
  toParticipantIds: row.to_participant_ids,
  participantMetadata: row.participant_metadata,
  channel: row.channel,
  direction: row.direction,
  content: row.content,
  scheduledAt: row.scheduled_at === null ? null : DateTime.unsafeFromDate(row.scheduled_at),
  cost: row.cost,
  currency: row.currency,
  maxRetries: row.max_retries,
  workflowRunId: null,
  queueMessageId: row.queue_message_id,
  tags: row.tags,
  categories: row.categories,
  isTest: row.is_test,
  isInternal: row.is_internal,
  isAutomated: row.is_automated,
  externalId: row.external_id,
  referenceId: row.reference_id,
  apiKeyId: row.api_key_id,
  httpMethod: row.http_method,
  apiRequestMetadata: row.api_request_metadata,
  apiResponseMetadata: null,
  createdAt: DateTime.unsafeFromDate(row.created_at),
  createdBy: row.created_by
})

/** A message without fields: the class constructor would copy fifty fields three times. */
const blankMessage = (): Message => Object.create(Message.prototype)

/**
 * Assembles a message from its parts. It is not validated: the store wrote the data, and a contract test proves that it
 * encodes. `Object.assign` instead of object spread, which is twenty times slower in V8 with this many fields.
 */
export const assembleMessage = (
  facts: MessageFacts,
  { deliveries, ...progress }: MessageState,
  addressing: Addressing,
  participants: ReadonlyMap<ParticipantId, MessageParticipant>
): Message =>
  Object.assign(blankMessage(), facts, progress, {
    providerCost: null,
    fromParticipant: participants.get(facts.fromParticipantId) ?? null,
    toParticipants: facts.toParticipantIds.flatMap((id) => participants.get(id) ?? []),
    emailMetadata: { ...addressing, deliveries }
  })

/** Decodes a message. */
export const messageFromRow = (row: MessageRow): Message =>
  assembleMessage(
    factsFromRow(row),
    stateFromRow(row),
    row.addressing,
    new Map(row.participants?.map((participant) => [participant.id, participant]))
  )

/** Finds an organization's message by its id. */
export const selectMessage = (sql: SqlClient.SqlClient, organization: OrganizationId, id: MessageId) =>
  Effect.map(
    sql<MessageRow>`SELECT ${sql.literal(messageColumns)} FROM ${sql.literal(messageTables)}
      WHERE m.organization_id = ${organization} AND m.id = ${id}`,
    ([row]) => Option.map(Option.fromNullable(row), messageFromRow)
  )
