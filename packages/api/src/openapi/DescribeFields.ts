import { Predicate, Record } from "effect"
import { accountFields } from "./fields/AccountFields.js"
import { commonFields, type FieldsBySchema, filterFields } from "./fields/CommonFields.js"
import { conversationFields } from "./fields/ConversationFields.js"
import { emailFields } from "./fields/EmailFields.js"
import { handsetFields } from "./fields/HandsetFields.js"
import { messageFields } from "./fields/MessageFields.js"
import { reportFields } from "./fields/ReportFields.js"
import { sendFields } from "./fields/SendFields.js"
import { voiceFields } from "./fields/VoiceFields.js"

const filters = (fields: string) => `Conditions as a JSON object. Fields: ${fields}. All must hold. Default: none.`

const category = "Category, 1 to 100 characters. Default: mail of any category. An extension."
const sendKey =
  "Key that makes a repeated send return the first message, 1 to 255 characters in UTF-8. Stored for 30 days. Default: `idempotencyKey` of the body. An extension."
const startOfRange = (fallback: string) =>
  `Start of the range, inclusive: ISO 8601 date-time with a time zone, or a date (the start of the day in the time zone of the organization). Default: ${fallback}.`
const endOfRange = (isInclusive: boolean, fallback: string) =>
  `End of the range: ISO 8601 date-time with a time zone (${isInclusive ? "inclusive" : "exclusive"}), or a date (the end of the day in the time zone of the organization). An end before the start is a 400. Default: ${fallback}.`

/**
 * Descriptions of path, query and header parameters by `operation.parameter`, `group.parameter` or name. The most
 * specific one is used.
 */
const descriptions: Readonly<Record<string, string>> = {
  "X-CSRF-Token": "`csrfToken` of the session. Required with a session cookie. Default: none.",
  "analytics.export.format": "Format: `json` (one array), `ndjson` (one object per line) or `csv`. Default: `json`.",
  "analytics.export.type": "Exported resource: `messages` or `events`. Default: `messages`.",
  "apiKeys.id": "Id of the API key.",
  "apiKeys.list.filters": filters("`isActive`, `search` (part of name, description or start)"),
  "audit.filters": filters("`actorId`, `operation`, `resource`, `resourceId`, `since`, `until`"),
  "attachments.id": "Id of the attachment.",
  "blocks.check.category": category,
  "blocks.check.email": "E-mail address to check, in the form of a send: blanks around it are ignored.",
  "blocks.id": "Id of the block.",
  "blocks.list.filters": filters("`reason`, `search` (part of the address or domain)"),
  "conversations.id": "Id of the conversation.",
  "conversations.list.filters": filters(
    "`status`, `channel`, `priority`, `participantId`, `tag`, `search` (part of title or description)"
  ),
  "domains.id": "Id of the domain.",
  "domains.list.filters": filters("`status`, `search` (part of the name)"),
  "drafts.id": "Id of the draft.",
  "drafts.list.filters": filters("`channel`, `search` (part of title, subject or recipients)"),
  "emailRecords.id": "Id of the message.",
  "events.stream.lastEventId":
    "Id of the last event received, for clients that cannot set headers. The header `Last-Event-ID` takes precedence. Default: now.",
  "forwarding.id": "Id of the forwarding rule.",
  "forwarding.list.filters": filters("`search` (part of the name)"),
  "handset.id": "Id of the text in the local handset.",
  "knowledgeBases.id": "Id of the knowledge base.",
  "knowledgeBases.list.filters": filters("`search` (part of name or description)"),
  "mailbox.id": "Id of the mail in the local mailbox.",
  "mailbox.list.messageId": "Id of the message of the mails: one mail, or a copy for each recipient. Default: all.",
  "messages.id": "Id of the message.",
  "email.send.idempotency-key": sendKey,
  "messages.send.idempotency-key": sendKey,
  "messages.list.channel": "Channel of the messages. Default: all.",
  "messages.list.conversationId": "Id of the conversation of the messages. Default: all.",
  "messages.list.endDate": endOfRange(true, "none"),
  "messages.list.externalId": "`externalId` of the messages. Default: all. An extension.",
  "messages.list.participantId": "Id of the author or of a recipient. Default: all.",
  "messages.list.recipient":
    "E-mail address or phone number of a recipient (to, cc or bcc), complete, case-insensitive. Default: all. An extension.",
  "messages.list.referenceId": "`referenceId` of the messages. Default: all. An extension.",
  "messages.list.search":
    "Part of the subject, of a recipient (to, cc or bcc), of the author of received mail, of `externalId` or of `referenceId`, case-insensitive, at least 3 characters without blanks around them. Default: all. An extension.",
  "messages.list.startDate": startOfRange("none"),
  "messages.list.status": "Status of the messages. Default: all.",
  "messages.list.tag": "A tag of the messages. Default: all. An extension.",
  "optOuts.id": "Id of the opt-out.",
  "optOuts.list.filters": filters("`number`, `phone`"),
  "participants.id": "Id of the participant.",
  "participants.list.filters": filters("`type`, `search` (part of a name or address)"),
  "providers.confirmWhatsApp.hub.challenge": "Text of the response, which Meta chooses.",
  "providers.confirmWhatsApp.hub.mode": "`subscribe`.",
  "providers.confirmWhatsApp.hub.verify_token": "`WHATSAPP_VERIFY_TOKEN`. Another one is a 401.",
  "providers.whatsapp.x-hub-signature-256":
    "Signature of the callback: `sha256=` and HMAC-SHA256 of the body with the secret of the app, hexadecimal. A missing one is a 401.",
  "providers.twilio.x-twilio-signature":
    "Signature of the callback: HMAC-SHA1 with the account's token, in base64. A missing one is a 401.",
  "senders.id": "Id of the sender.",
  "senders.list.filters": filters("`verificationStatus`, `domainId`, `isActive`, `search` (part of address or name)"),
  "serviceWindows.id": "Id of the service window.",
  "serviceWindows.list.filters": filters("`participantId`"),
  "templates.id": "Id of the template.",
  "templates.html.data": "Data of the template as a JSON object. Default: `{}`. Example data only: proxies may log it.",
  "templates.list.filters": filters("`channel`, `search` (part of the name)"),
  "threads.id": "Id of the thread.",
  "threads.list.filters": filters("`status`, `participantId`, `search` (part of the subject)"),
  "users.id": "Id of the user.",
  "users.list.filters": filters("`roleName`, `search` (part of name or address)"),
  "users.removeInvitation.id": "Id of the invitation.",
  "voiceAgents.id": "Id of the voice agent.",
  "voiceAgents.list.filters": filters("`isActive`, `transport`, `search` (part of name or description)"),
  "voiceCalls.id": "Id of the voice call.",
  "voiceCalls.list.filters": filters("`status`, `direction`, `voiceAgentId`"),
  "voiceWorkflows.id": "Id of the voice workflow.",
  "voiceWorkflows.list.filters": filters("`isEnabled`, `voiceAgentId`, `search` (part of name or description)"),
  "webhookEndpoints.id": "Id of the webhook endpoint.",
  "webhookEndpoints.list.filters": filters("`status`, `search` (part of name, description or URL)"),
  "webhookEndpoints.logs.filters": filters("`status`, `event`, `messageId` (events of this message, an extension)"),
  agentId: "Id of the voice agent.",
  deliveryId: "Id of the delivery.",
  domain: "Name of the domain.",
  endDate: `${endOfRange(false, "now")} A range has at most 366 days.`,
  granularity: "Length of a period: `hour` or `day`. Default: `hour` for a range of at most two days, otherwise `day`.",
  "idempotency-key":
    "Key that makes a repeated request return the resource of the first one as it is now, without its secrets: 1 to 255 characters in UTF-8. With another request, or after the resource was deleted: 409. Stored for 30 days; each operation has its own keys. Default: none. An extension.",
  knowledgeBaseId: "Id of the knowledge base.",
  "last-event-id":
    "Id of the last event received: the stream continues after it. All zeros: the oldest stored event. Default: now.",
  after:
    "Cursor: the page that follows the page whose `Link` header has it. Takes precedence over `page`. Default: none. An extension.",
  limit: "Items per page, 1 to 100. Default: 20.",
  messageId: "Id of the message.",
  page: "Number of the page, from 1. Default: 1.",
  startDate: startOfRange("30 days before `endDate`"),
  token: "Token of the link.",
  types: "Event types, groups such as `message.*`, or `*`, separated by commas. Default: `*`.",
  webhookId: "Id of the webhook endpoint.",
  workflowId: "Id of the voice workflow."
}

/** The description of a parameter of an operation. */
export const parameterDescription = (operationId: string, name: string): string | undefined => {
  const [group = ""] = operationId.split(".")
  return descriptions[`${operationId}.${name}`] ?? descriptions[`${group}.${name}`] ?? descriptions[name]
}

/** Descriptions of fields by schema. Requests without an entry of their own use that of their resource. */
export const fieldsBySchema: FieldsBySchema = {
  ...accountFields,
  ...conversationFields,
  ...emailFields,
  ...reportFields,
  ...filterFields,
  ...handsetFields,
  ...messageFields,
  ...sendFields,
  ...voiceFields
}

/** Schemas with the fields of another one. */
const sharedWith: Readonly<Record<string, string>> = {
  EmailContentSummary: "EmailContent",
  EmailMessageRequest: "SendRequest",
  EmailContentWithoutBodies: "EmailContent",
  ExportedMessage: "Message",
  MailboxMailSummary: "MailboxMail",
  MessageEventData: "Message",
  ParticipantServiceWindow: "ServiceWindow",
  SenderStanding: "EmailSender",
  SmsMessageRequest: "SendRequest",
  SwitchCatchAll: "CatchAllConfig",
  TemplateFallback: "TemplateVariable",
  TemplateVersion: "Template",
  WhatsAppMessageRequest: "SendRequest",
  ThreadMetadata: "Thread",
  UpdateCatchAll: "CatchAllConfig",
  UploadAttachment: "Attachment",
  "serviceWindows.activate": "ServiceWindow",
  "serviceWindows.open": "ServiceWindow"
}

const resourceOf = (schema: string): string => {
  const shared = sharedWith[schema]
  if (shared !== undefined) return shared
  return schema.endsWith("Event") ? "Event" : schema.replace(/^(?:Create|Update)/, "")
}

/** The description of a field of a schema. */
export const fieldDescription = (schema: string, field: string): string | undefined =>
  fieldsBySchema[schema]?.[field] ?? fieldsBySchema[resourceOf(schema)]?.[field] ?? commonFields[field]

/**
 * A JSON Schema whose properties, also those of inline schemas, have descriptions. A description is beside a `$ref`
 * (JSON Schema 2020-12 section 8.2.3.1). The schema's own description is used where none is listed.
 */
export const describeFields = (name: string, schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map((member: unknown) => describeFields(name, member))
  if (!Predicate.isRecord(schema)) return schema
  const { anyOf, items, oneOf, properties } = schema
  return {
    ...schema,
    ...(Predicate.isRecord(properties)
      ? {
          properties: Record.map(properties, (property, field) => {
            const description = fieldDescription(name, field)
            const described = describeFields(name, property)
            return Predicate.isRecord(described) && description !== undefined
              ? { ...described, description }
              : described
          })
        }
      : {}),
    ...(items === undefined ? {} : { items: describeFields(name, items) }),
    ...(anyOf === undefined ? {} : { anyOf: describeFields(name, anyOf) }),
    ...(oneOf === undefined ? {} : { oneOf: describeFields(name, oneOf) })
  }
}
