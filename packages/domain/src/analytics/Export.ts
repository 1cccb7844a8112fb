import { Schema } from "effect"
import { EventId, EventType } from "../events/EventType.js"
import { choice } from "../Fields.js"
import { EmailContent, Message } from "../messages/Message.js"
import { OrganizationId } from "../organizations/Organization.js"
import { SmsContent } from "../sms/SmsContent.js"
import { Timestamp } from "../Timestamp.js"
import { WhatsAppContent } from "../whatsapp/WhatsAppContent.js"

/** The resources that can be exported. */
export const ExportType = choice("messages", "events").annotations({ description: "the resources to export" })
export type ExportType = typeof ExportType.Type

/** The file format of an export. */
export const ExportFormat = choice("csv", "json", "ndjson").annotations({ description: "the format of an export" })
export type ExportFormat = typeof ExportFormat.Type

/** A message in an export, without the bodies of e-mails. */
export const ExportedMessage = Schema.Struct({
  ...Message.fields,
  content: Schema.Union(
    EmailContent.omit("html", "replyText", "text").annotations({ identifier: "EmailContentWithoutBodies" }),
    SmsContent,
    WhatsAppContent
  )
}).annotations({ identifier: "ExportedMessage" })
export type ExportedMessage = typeof ExportedMessage.Type

/** An event in an export, with the data that webhooks post. */
export const ExportedEvent = Schema.Struct({
  id: EventId,
  type: EventType,
  timestamp: Timestamp,
  organizationId: OrganizationId,
  data: Schema.Unknown
}).annotations({ identifier: "ExportedEvent" })
export type ExportedEvent = typeof ExportedEvent.Type

/** A complete export. */
export const Export = Schema.Union(Schema.Array(ExportedMessage), Schema.Array(ExportedEvent)).annotations({
  description: "all messages, or all events"
})
