import { Schema } from "effect"
import { ApiKeyId } from "../apiKeys/ApiKey.js"
import { choice } from "../Choice.js"
import { OrganizationId } from "../organizations/Organization.js"
import { MessageParticipant, ParticipantId } from "../participants/Participant.js"
import { Timestamp, TimestampText } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"
import { Delivery } from "./delivery/Delivery.js"
import { MessageStatus } from "./state/MessageStatus.js"

export const MessageId = Uuid.pipe(Schema.brand("MessageId"))
export type MessageId = typeof MessageId.Type

export const ConversationId = Uuid.pipe(Schema.brand("ConversationId"))
export type ConversationId = typeof ConversationId.Type

export const Channel = choice("sms", "whatsapp", "email", "voice").annotations({ identifier: "Channel" })
export type Channel = typeof Channel.Type

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null)
const ScalarMap = Schema.Record({ key: Schema.String, value: Scalar })
const TextMap = Schema.Record({ key: Schema.String, value: Schema.String })

/** One step of a message's life. */
export const StatusEntry = Schema.Struct({
  status: MessageStatus,
  timestamp: TimestampText,
  reason: Schema.optional(Schema.String),
  metadata: Schema.optional(Schema.NullOr(ScalarMap))
}).annotations({ identifier: "StatusEntry" })
export type StatusEntry = typeof StatusEntry.Type

/** Why the last attempt did not succeed, and what follows. */
export const ErrorDetails = Schema.Struct({
  code: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String),
  details: Schema.optional(Schema.NullOr(ScalarMap)),
  retryable: Schema.optional(Schema.Boolean),
  nextRetryAt: Schema.optional(TimestampText)
}).annotations({ identifier: "ErrorDetails" })
export type ErrorDetails = typeof ErrorDetails.Type

/** An attached file, without its content. */
export const AttachmentInfo = Schema.Struct({
  filename: Schema.String,
  contentType: Schema.String,
  size: Schema.Number.annotations({ description: "the size in bytes" })
}).annotations({ identifier: "AttachmentInfo" })

/** What an e-mail says. */
export const EmailContent = Schema.Struct({
  subject: Schema.String,
  html: Schema.String,
  text: Schema.String,
  templateId: Schema.optional(Schema.String),
  templateVersion: Schema.optional(
    Schema.Int.annotations({ description: "the version of the template that it was rendered from, an extension" })
  ),
  from: Schema.String,
  replyTo: Schema.Array(Schema.String),
  replyToOfSender: Schema.optional(
    Schema.Boolean.annotations({
      description: "whether `replyTo` is the sender's own, since the send named none; an extension"
    })
  ),
  attachments: Schema.Array(AttachmentInfo),
  erasedAt: Schema.optional(
    TimestampText.annotations({
      description: "when the body and the files were erased, as operators decided; an extension"
    })
  )
}).annotations({ identifier: "EmailContent" })
export type EmailContent = typeof EmailContent.Type

/** How an e-mail is addressed, and how far each recipient's copy came. */
export const EmailMetadata = Schema.Struct({
  messageId: Schema.String.annotations({ description: "the Message-ID header (RFC 5322)" }),
  to: Schema.Array(Schema.String),
  cc: Schema.Array(Schema.String),
  bcc: Schema.Array(Schema.String),
  names: Schema.optional(TextMap.annotations({ description: "display names by recipient address, an extension" })),
  headers: TextMap,
  tags: Schema.Array(Schema.String),
  deliveries: Schema.Array(Delivery)
}).annotations({ identifier: "EmailMetadata" })
export type EmailMetadata = typeof EmailMetadata.Type

/** The request that made the message; keys and cookies are never in it. */
export const ApiRequestMetadata = Schema.Struct({
  method: Schema.String,
  endpoint: Schema.String,
  ipAddress: Schema.String,
  userAgent: Schema.String,
  headers: TextMap,
  query: TextMap
}).annotations({ identifier: "ApiRequestMetadata" })
export type ApiRequestMetadata = typeof ApiRequestMetadata.Type

const ApiResponseMetadata = Schema.Struct({
  statusCode: Schema.Number,
  headers: TextMap,
  body: Schema.Unknown,
  latency: Schema.Number
}).annotations({ identifier: "ApiResponseMetadata" })

/** The part of a message that never changes after it was accepted. */
export const messageFacts = {
  id: MessageId,
  organizationId: OrganizationId,
  conversationId: Schema.NullOr(ConversationId),
  threadId: Schema.NullOr(Uuid),
  parentMessageId: Schema.NullOr(MessageId),
  fromParticipantId: ParticipantId,
  toParticipantIds: Schema.Array(ParticipantId),
  participantMetadata: Schema.NullOr(Schema.Unknown),
  channel: Channel,
  direction: Schema.Literal("outbound", "inbound"),
  content: EmailContent,
  scheduledAt: Schema.NullOr(Timestamp),
  cost: Schema.String.annotations({ description: "a decimal number", examples: ["0.0004"] }),
  currency: Schema.String.annotations({ description: "an ISO 4217 currency code", examples: ["USD"] }),
  maxRetries: Schema.Number,
  workflowRunId: Schema.NullOr(Schema.String),
  queueMessageId: Schema.NullOr(Schema.String),
  tags: Schema.Array(Schema.String),
  categories: Schema.Array(Schema.String),
  isTest: Schema.Boolean,
  isInternal: Schema.Boolean,
  isAutomated: Schema.Boolean,
  externalId: Schema.NullOr(Schema.String),
  referenceId: Schema.NullOr(Schema.String),
  apiKeyId: Schema.NullOr(ApiKeyId),
  httpMethod: Schema.NullOr(Schema.String),
  apiRequestMetadata: Schema.NullOr(ApiRequestMetadata),
  apiResponseMetadata: Schema.NullOr(ApiResponseMetadata),
  createdAt: Timestamp,
  createdBy: Schema.NullOr(Uuid)
}

/** The part of a message that moves. */
export const messageProgress = {
  status: MessageStatus,
  statusHistory: Schema.NullOr(Schema.Array(StatusEntry)),
  provider: Schema.NullOr(Schema.String),
  providerMessageId: Schema.NullOr(Schema.String),
  providerStatus: Schema.NullOr(Schema.String),
  providerResponse: Schema.NullOr(Schema.Unknown),
  providerCost: Schema.NullOr(Schema.Unknown),
  sentAt: Schema.NullOr(Timestamp),
  deliveredAt: Schema.NullOr(Timestamp),
  readAt: Schema.NullOr(Timestamp),
  failedAt: Schema.NullOr(Timestamp),
  retryCount: Schema.Number,
  deliveryAttempts: Schema.Number,
  lastError: Schema.NullOr(Schema.String),
  errorDetails: Schema.NullOr(ErrorDetails),
  lastAttemptAt: Schema.NullOr(Timestamp),
  updatedAt: Timestamp
}

/** One send, from acceptance to its last news. */
export class Message extends Schema.Class<Message>("Message")({
  ...messageFacts,
  ...messageProgress,
  fromParticipant: Schema.NullOr(MessageParticipant),
  toParticipants: Schema.optional(Schema.Array(MessageParticipant)),
  emailMetadata: Schema.optional(Schema.NullOr(EmailMetadata)),
  whatsappMetadata: Schema.optional(Schema.NullOr(Schema.Unknown))
}) {}

/** What happened to a message, oldest first. */
export class MessageTimeline extends Schema.Class<MessageTimeline>("MessageTimeline")({
  id: MessageId,
  status: MessageStatus,
  events: Schema.Array(
    Schema.Struct({
      type: Schema.String.annotations({ examples: ["message.delivered"] }),
      status: Schema.optional(MessageStatus),
      timestamp: TimestampText,
      reason: Schema.optional(Schema.String),
      recipient: Schema.optional(Schema.String),
      metadata: Schema.optional(ScalarMap)
    })
  )
}) {}
