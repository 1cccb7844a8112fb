import { Option, Schema } from "effect"
import { ApiKeyId } from "../apiKeys/ApiKey.js"
import { Click } from "../email/tracking/Click.js"
import { choice } from "../Fields.js"
import { OrganizationId } from "../organizations/Organization.js"
import { type AddressKind, MessageParticipant, ParticipantId } from "../participants/Participant.js"
import { SmsContent } from "../sms/SmsContent.js"
import { Timestamp, TimestampText } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"
import { lineOf, WhatsAppContent } from "../whatsapp/WhatsAppContent.js"
import { Delivery } from "./delivery/Delivery.js"
import { MessageStatus } from "./state/MessageStatus.js"

export const MessageId = Uuid.pipe(Schema.brand("MessageId"))
export type MessageId = typeof MessageId.Type

export const ConversationId = Uuid.pipe(Schema.brand("ConversationId"))
export type ConversationId = typeof ConversationId.Type

export const Channel = choice("sms", "whatsapp", "email", "voice").annotations({ identifier: "Channel" })
export type Channel = typeof Channel.Type

/** The kind of the addresses that a channel uses. */
export const addressKindOf: { readonly [Name in Channel]: AddressKind } = {
  email: "email",
  sms: "phone",
  voice: "phone",
  whatsapp: "whatsapp"
}

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null)
const ScalarMap = Schema.Record({ key: Schema.String, value: Scalar })
const TextMap = Schema.Record({ key: Schema.String, value: Schema.String })

/** An entry of a message's status history. */
export const StatusEntry = Schema.Struct({
  status: MessageStatus,
  timestamp: TimestampText,
  reason: Schema.optional(Schema.String),
  metadata: Schema.optional(Schema.NullOr(ScalarMap))
}).annotations({ identifier: "StatusEntry" })
export type StatusEntry = typeof StatusEntry.Type

/** The last error of a message, and the time of its next retry. */
export const ErrorDetails = Schema.Struct({
  code: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String),
  details: Schema.optional(Schema.NullOr(ScalarMap)),
  retryable: Schema.optional(Schema.Boolean),
  nextRetryAt: Schema.optional(TimestampText)
}).annotations({ identifier: "ErrorDetails" })
export type ErrorDetails = typeof ErrorDetails.Type

/** The metadata of an attachment. */
export const AttachmentInfo = Schema.Struct({
  filename: Schema.String,
  contentType: Schema.String,
  size: Schema.Number.annotations({ description: "the size in bytes" })
}).annotations({ identifier: "AttachmentInfo" })

/** The content of an e-mail. */
export const EmailContent = Schema.Struct({
  subject: Schema.String,
  html: Schema.String,
  text: Schema.String,
  replyText: Schema.optional(
    Schema.String.annotations({
      description: "the text of a received e-mail without quotes and signature, an extension"
    })
  ),
  templateId: Schema.optional(Schema.String),
  templateVersion: Schema.optional(
    Schema.Int.annotations({ description: "the version of the rendered template, an extension" })
  ),
  from: Schema.String,
  replyTo: Schema.Array(Schema.String),
  replyToOfSender: Schema.optional(
    Schema.Boolean.annotations({
      description: "whether `replyTo` is the default of the sender, since the send has none; an extension"
    })
  ),
  attachments: Schema.Array(AttachmentInfo),
  erasedAt: Schema.optional(
    TimestampText.annotations({
      description: "the time at which body and files were erased by the operator; an extension"
    })
  )
}).annotations({ identifier: "EmailContent" })
export type EmailContent = typeof EmailContent.Type

/** The content of a message, by its channel. */
export const MessageContent = Schema.Union(EmailContent, SmsContent, WhatsAppContent)
export type MessageContent = typeof MessageContent.Type

/** The plain text of a message. */
export const plainTextOf = (content: typeof MessageContent.Encoded): string =>
  "subject" in content || "encoding" in content ? content.text : lineOf(content)

/** The recipients of an e-mail, and the state of each recipient's delivery. */
export const EmailMetadata = Schema.Struct({
  messageId: Schema.String.annotations({ description: "the Message-ID header (RFC 5322)" }),
  to: Schema.Array(Schema.String),
  cc: Schema.Array(Schema.String),
  bcc: Schema.Array(Schema.String),
  names: Schema.optional(TextMap.annotations({ description: "display names by recipient address, an extension" })),
  headers: TextMap,
  tags: Schema.Array(Schema.String),
  submitted: Schema.optional(
    Schema.Literal(true).annotations({
      description:
        "the mail was submitted over SMTP and goes out with the header and body that it came with, an extension"
    })
  ),
  smtpUtf8: Schema.optional(
    Schema.Literal(true).annotations({
      description: "the header of the submitted mail needs SMTPUTF8 (RFC 6531), an extension"
    })
  ),
  deliveries: Schema.Array(Delivery),
  clicks: Schema.optional(
    Schema.Array(Click).annotations({
      description: "the first 100 clicks of tracked links, oldest first, an extension"
    })
  )
}).annotations({ identifier: "EmailMetadata" })
export type EmailMetadata = typeof EmailMetadata.Type

/** The addressing of a message, by its channel, which the store keeps without the deliveries and clicks. */
export type EmailAddressing = Omit<EmailMetadata, "clicks" | "deliveries">
export interface SmsAddressing {
  /** The phone numbers of the recipients (E.164). */
  readonly to: ReadonlyArray<string>
}
export interface WhatsAppAddressing extends SmsAddressing {
  /** The WhatsApp id of the other side. */
  readonly waId: string
  /** The end of the service window at acceptance (ISO 8601); left out without an open one. */
  readonly windowExpiresAt?: string | undefined
}
export type MessageAddressing = EmailAddressing | SmsAddressing | WhatsAppAddressing

/** The recipient of a WhatsApp message and the state of its delivery. */
export const WhatsAppMetadata = Schema.Struct({
  waId: Schema.String.annotations({ description: "the WhatsApp id of the other side: its number without plus" }),
  providerMessageId: Schema.NullOr(Schema.String.annotations({ description: "the provider's id of the message" })),
  conversationCategory: Schema.optional(
    Schema.String.annotations({ description: "the category by which the provider bills, for example `utility`" })
  ),
  windowExpiresAt: Schema.optional(
    TimestampText.annotations({ description: "the end of the service window when the message was accepted" })
  ),
  deliveries: Schema.Array(Delivery)
}).annotations({ identifier: "WhatsAppMetadata" })
export type WhatsAppMetadata = typeof WhatsAppMetadata.Type

/** The request that created the message, without keys and cookies. */
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

/** The fields of a message that do not change after it is accepted. */
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
  content: MessageContent,
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

/** The fields of a message that change while it is delivered. */
const messageProgress = {
  status: MessageStatus,
  statusHistory: Schema.NullOr(Schema.Array(StatusEntry)),
  provider: Schema.NullOr(
    Schema.String.annotations({
      description:
        "the provider that took the message: for mail `smtp`, host and port of one of several relays, or `mx` for the recipients' mail servers"
    })
  ),
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

/** An outbound or inbound message. Times are UTC. */
export class Message extends Schema.Class<Message>("Message")({
  ...messageFacts,
  ...messageProgress,
  fromParticipant: Schema.NullOr(MessageParticipant),
  toParticipants: Schema.optional(Schema.Array(MessageParticipant)),
  emailMetadata: Schema.optional(Schema.NullOr(EmailMetadata)),
  whatsappMetadata: Schema.optional(Schema.NullOr(WhatsAppMetadata))
}) {}

/** A message over e-mail. */
export interface EmailMessage extends Message {
  readonly channel: "email"
  readonly content: EmailContent
  readonly emailMetadata: EmailMetadata
}

/** Whether the message is an e-mail. */
export const isEmail = (message: Message): message is EmailMessage => message.channel === "email"

/** A text message. */
export interface SmsMessage extends Message {
  readonly channel: "sms"
  readonly content: SmsContent
  readonly providerResponse: { readonly deliveries: ReadonlyArray<Delivery> }
}

/** Whether the message is a text message. */
export const isSms = (message: Message): message is SmsMessage => message.channel === "sms"

/** A WhatsApp message. */
export interface WhatsAppMessage extends Message {
  readonly channel: "whatsapp"
  readonly content: WhatsAppContent
  readonly whatsappMetadata: WhatsAppMetadata
}

/** Whether the message is a WhatsApp message. */
export const isWhatsApp = (message: Message): message is WhatsAppMessage => message.channel === "whatsapp"

const decodeReport = Schema.decodeUnknownOption(Schema.Struct({ deliveries: Schema.Array(Delivery) }))

/** The delivery to each recipient: those of a text message are in the provider's response, others in the metadata. */
export const deliveriesOf = ({
  emailMetadata,
  providerResponse,
  whatsappMetadata
}: Pick<Message, "emailMetadata" | "providerResponse" | "whatsappMetadata">): ReadonlyArray<Delivery> =>
  emailMetadata?.deliveries ??
  whatsappMetadata?.deliveries ??
  Option.match(decodeReport(providerResponse), { onNone: () => [], onSome: ({ deliveries }) => deliveries })

/** The history of a message, oldest first. */
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
