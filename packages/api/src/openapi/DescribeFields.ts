import { Predicate, Record } from "effect"
import { accountFields } from "./fields/AccountFields.js"
import { commonFields } from "./fields/CommonFields.js"
import { conversationFields } from "./fields/ConversationFields.js"
import { emailFields } from "./fields/EmailFields.js"
import type { FieldsBySchema } from "./fields/FieldsBySchema.js"
import { filterFields } from "./fields/FilterFields.js"
import { messageFields } from "./fields/MessageFields.js"
import { voiceFields } from "./fields/VoiceFields.js"

/** Descriptions of fields by schema. Requests without an entry of their own use that of their resource. */
export const fieldsBySchema: FieldsBySchema = {
  ...accountFields,
  ...conversationFields,
  ...emailFields,
  ...filterFields,
  ...messageFields,
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
  ThreadMetadata: "Thread",
  UpdateCatchAll: "CatchAllConfig",
  UploadAttachment: "Attachment",
  VoiceMessageRequest: "SendRequest",
  WhatsAppMessageRequest: "SendRequest",
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
