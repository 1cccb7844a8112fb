import type { SqlClient } from "@effect/sql"
import type { Tracking } from "@switchboard/domain/email/tracking/Tracking"
import {
  Message,
  type MessageAddressing,
  type MessageContent,
  type MessageId,
  plainTextOf,
  type WhatsAppAddressing,
  type WhatsAppMetadata
} from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { MessageParticipant, ParticipantId } from "@switchboard/domain/participants/Participant"
import type { MessageFacts } from "@switchboard/services/messages/MessageRepo"
import { Effect, Option } from "effect"
import { type MessageRow, messageColumns, messageFromRow } from "./MessageJson.js"

/** `messages AS m` joined with `message_states AS s`. */
export const messageTables =
  "messages AS m JOIN message_states AS s ON s.organization_id = m.organization_id AND s.message_id = m.id"

/** The columns of an `INSERT INTO messages` without its participants, with their types as JSON records. */
const factTypes = {
  organization_id: "uuid",
  id: "uuid",
  conversation_id: "uuid",
  thread_id: "uuid",
  parent_message_id: "uuid",
  channel: "text",
  direction: "text",
  subject_line: "text",
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
  track_clicks: "boolean",
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
interface NewFacts extends Tracking {
  readonly facts: Omit<MessageFacts, "fromParticipantId" | "toParticipantIds">
  readonly addressing: MessageAddressing
  readonly attachments: ReadonlyArray<unknown>
  readonly traceParent: string | null
}

/** The line by which messages are searched. */
const subjectLineOf = (content: MessageContent): string =>
  "subject" in content ? content.subject : plainTextOf(content)

/** The facts of a message as a record for `json_to_recordset`. */
export const factRecord = ({ addressing, attachments, facts, traceParent, trackClicks, trackOpens }: NewFacts) =>
  ({
    organization_id: facts.organizationId,
    id: facts.id,
    conversation_id: facts.conversationId,
    thread_id: facts.threadId,
    parent_message_id: facts.parentMessageId,
    channel: facts.channel,
    direction: facts.direction,
    subject_line: subjectLineOf(facts.content),
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
    track_clicks: trackClicks,
    trace_parent: traceParent,
    created_at: facts.createdAt
  }) satisfies Record<keyof typeof factTypes, unknown>

const whatsappMetadataOf = (
  { waId, windowExpiresAt }: WhatsAppAddressing,
  { providerMessageId }: Pick<MessageState, "providerMessageId">,
  deliveries: MessageState["deliveries"]
): WhatsAppMetadata => ({
  waId,
  providerMessageId,
  ...(windowExpiresAt === undefined ? {} : { windowExpiresAt }),
  deliveries
})

/**
 * Assembles a message without clicks from its parts. It is not validated: the store wrote the data, and a contract test proves that it
 * encodes.
 */
export const assembleMessage = (
  facts: NewFacts["facts"],
  { clicks: _, deliveries, ...progress }: MessageState,
  addressing: MessageAddressing,
  { from, to }: { readonly from: ParticipantId; readonly to: ReadonlyArray<ParticipantId> },
  participants: ReadonlyMap<ParticipantId, MessageParticipant>
): Message => {
  const rest = {
    fromParticipantId: from,
    toParticipantIds: to,
    providerCost: null,
    fromParticipant: participants.get(from) ?? null,
    toParticipants: to.flatMap((id) => participants.get(id) ?? []),
    ...("messageId" in addressing
      ? { emailMetadata: { ...addressing, deliveries } }
      : "waId" in addressing
        ? { emailMetadata: null, whatsappMetadata: whatsappMetadataOf(addressing, progress, deliveries) }
        : { emailMetadata: null, providerResponse: { deliveries } })
  }
  const message = { __proto__: Message.prototype, ...facts, ...progress, ...rest }
  return message
}

/** Finds an organization's message by its id. */
export const selectMessage = (sql: SqlClient.SqlClient, organization: OrganizationId, id: MessageId) =>
  Effect.map(
    sql<MessageRow>`SELECT ${sql.literal(messageColumns)} FROM ${sql.literal(messageTables)}
      WHERE m.organization_id = ${organization} AND m.id = ${id}`,
    ([row]) => Option.map(Option.fromNullable(row), messageFromRow)
  )
