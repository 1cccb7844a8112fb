import type { Message, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { decodeMessage, type EncodedMessage, encodedFields } from "@switchboard/services/messages/MessageRepo"
import {
  array,
  escapedTextOrNull,
  json,
  jsonOrNull,
  nothing,
  objectText,
  plainText,
  plainTextOrNull,
  time,
  timeOrNull
} from "../JsonText.js"
import { participantText } from "../participants/ParticipantRows.js"

/** A row of `messageColumns`. */
export interface MessageRow {
  readonly id: MessageId
  readonly organization_id: OrganizationId
  /** The encoded message; null if one of its times is infinite. */
  readonly json: string | null
}

const participantsWhere = (condition: string) =>
  `FROM participants AS p WHERE p.organization_id = m.organization_id AND ${condition}`

const whatsappMetadata = `'{"waId":"' || (m.addressing ->> 'waId')
  || '","providerMessageId":' || COALESCE(to_json(s.provider_message_id)::text, 'null')
  || COALESCE(',"conversationCategory":' || (s.deliveries -> 0 -> 'conversationCategory')::text, '')
  || COALESCE(',"windowExpiresAt":' || (m.addressing -> 'windowExpiresAt')::text, '')
  || ',"deliveries":' || s.deliveries::text || '}'`

/** The fields of a message in `messages AS m` and `message_states AS s`, by `messages.content` or a replacement. */
const fieldsOf = (content: string) =>
  ({
    id: plainText("m.id"),
    organizationId: plainText("m.organization_id"),
    conversationId: plainTextOrNull("m.conversation_id"),
    threadId: plainTextOrNull("m.thread_id"),
    parentMessageId: plainTextOrNull("m.parent_message_id"),
    fromParticipantId: plainText("m.from_participant_id"),
    toParticipantIds: array("m.to_participant_ids"),
    participantMetadata: jsonOrNull("m.participant_metadata"),
    channel: plainText("m.channel"),
    direction: plainText("m.direction"),
    content: json(content),
    scheduledAt: timeOrNull("m.scheduled_at"),
    cost: plainText("m.cost"),
    currency: plainText("m.currency"),
    maxRetries: json("s.max_retries"),
    workflowRunId: nothing,
    queueMessageId: plainTextOrNull("m.queue_message_id"),
    tags: array("m.tags"),
    categories: array("m.categories"),
    isTest: json("m.is_test"),
    isInternal: json("m.is_internal"),
    isAutomated: json("m.is_automated"),
    externalId: escapedTextOrNull("m.external_id"),
    referenceId: escapedTextOrNull("m.reference_id"),
    apiKeyId: plainTextOrNull("m.api_key_id"),
    httpMethod: plainTextOrNull("m.http_method"),
    apiRequestMetadata: jsonOrNull("m.api_request_metadata"),
    apiResponseMetadata: nothing,
    createdAt: time("m.created_at"),
    createdBy: plainTextOrNull("m.created_by"),
    status: plainText("s.status"),
    statusHistory: json("s.status_history"),
    provider: escapedTextOrNull("s.provider"),
    providerMessageId: escapedTextOrNull("s.provider_message_id"),
    providerStatus: escapedTextOrNull("s.provider_status"),
    providerResponse: json(`CASE WHEN m.channel = 'sms' THEN '{"deliveries":' || s.deliveries::text || '}'
      ELSE COALESCE(s.provider_response::text, 'null') END`),
    sentAt: timeOrNull("s.sent_at"),
    deliveredAt: timeOrNull("s.delivered_at"),
    readAt: timeOrNull("s.read_at"),
    failedAt: timeOrNull("s.failed_at"),
    retryCount: json("s.retry_count"),
    deliveryAttempts: json("s.delivery_attempts"),
    lastError: escapedTextOrNull("s.last_error"),
    errorDetails: jsonOrNull("s.error_details"),
    lastAttemptAt: timeOrNull("s.last_attempt_at"),
    updatedAt: time("s.updated_at"),
    providerCost: nothing,
    fromParticipant: json(
      `COALESCE((SELECT ${participantText} ${participantsWhere("p.id = m.from_participant_id")}), 'null')`
    ),
    toParticipants: json(`(SELECT '[' || COALESCE(string_agg(${participantText}, ',' ORDER BY
      array_position(m.to_participant_ids, p.id)), '') || ']' ${participantsWhere("p.id = ANY (m.to_participant_ids)")})`),
    // `addressing` is an object with at least one field: its last brace is replaced. Only a WhatsApp message has the
    // field `whatsappMetadata`, which follows.
    emailMetadata: json(`CASE m.channel
      WHEN 'email' THEN left(m.addressing::text, -1) || ',"deliveries":' || s.deliveries::text
        || COALESCE(',"clicks":' || s.clicks::text, '') || '}'
      WHEN 'whatsapp' THEN 'null,"whatsappMetadata":' || ${whatsappMetadata} ELSE 'null' END`)
  }) satisfies Record<Exclude<keyof typeof Message.Encoded, "whatsappMetadata">, unknown>

const times = [
  "m.scheduled_at",
  "m.created_at",
  "s.sent_at",
  "s.delivered_at",
  "s.read_at",
  "s.failed_at",
  "s.last_attempt_at",
  "s.updated_at"
]

const columnsWith = (content: string) => `m.id, m.organization_id,
  CASE WHEN ${times.map((column) => `isfinite(${column}) IS NOT FALSE`).join(" AND ")}
  THEN ${objectText(fieldsOf(content))} END AS json`

/**
 * The columns of `messageTables` for a `MessageRow`. PostgreSQL encodes a message: to decode fifty columns and encode
 * them again would be most of the cost of a list.
 */
export const messageColumns = columnsWith("m.content")

/** The same with empty bodies of e-mails, which may be many megabytes each. The rest of the content is unchanged. */
export const columnsWithoutBodies = columnsWith(`(CASE WHEN m.channel = 'email' THEN (SELECT json_object_agg(key,
    CASE WHEN key IN ('html', 'text') THEN '""' ELSE value END) FROM json_each(m.content) WHERE key <> 'replyText')
  ELSE m.content END)`)

/** Reads a message in its encoded form. It is not validated: a contract test proves that it decodes and encodes. */
export const encodedFromRow = ({ id, json: text }: MessageRow): EncodedMessage => {
  if (text === null) throw new Error(`A time of message ${id} is infinite`)
  return { id, json: text }
}

/** Reads the fields of an encoded message. */
export const fieldsFromRow = (row: MessageRow) => encodedFields(encodedFromRow(row))

/** Reads a message. */
export const messageFromRow = (row: MessageRow): Message => decodeMessage(encodedFromRow(row))
