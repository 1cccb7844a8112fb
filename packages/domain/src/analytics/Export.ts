import { Schema } from "effect"
import { choice } from "../Choice.js"
import { EventId, EventType } from "../events/EventType.js"
import { EmailContent, Message } from "../messages/Message.js"
import { OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"

/** What can be exported. */
export const ExportType = choice("messages", "events").annotations({ description: "what is exported" })
export type ExportType = typeof ExportType.Type

/** As what it can be exported. */
export const ExportFormat = choice("csv", "json", "ndjson").annotations({ description: "the form of an export" })
export type ExportFormat = typeof ExportFormat.Type

/** A message as exports tell it: whole, but for what it says. */
export const ExportedMessage = Schema.Struct({
  ...Message.fields,
  content: EmailContent.omit("html", "text").annotations({ identifier: "EmailContentWithoutBodies" })
}).annotations({ identifier: "ExportedMessage" })
export type ExportedMessage = typeof ExportedMessage.Type

/** An event as exports tell it: what webhooks post. */
export const ExportedEvent = Schema.Struct({
  id: EventId,
  type: EventType,
  timestamp: Timestamp,
  organizationId: OrganizationId,
  data: Schema.Unknown
}).annotations({ identifier: "ExportedEvent" })
export type ExportedEvent = typeof ExportedEvent.Type

/** A whole export. */
export const Export = Schema.Union(Schema.Array(ExportedMessage), Schema.Array(ExportedEvent)).annotations({
  description: "all messages, or all events"
})
