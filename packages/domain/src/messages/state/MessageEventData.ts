import { Schema } from "effect"
import { SmsContent } from "../../sms/SmsContent.js"
import { Timestamp } from "../../Timestamp.js"
import { WhatsAppContent } from "../../whatsapp/WhatsAppContent.js"
import { Channel, EmailContent, Message, MessageId } from "../Message.js"

/** The content of an e-mail in an event: no body, no attachments. */
export const EmailContentSummary = EmailContent.omit("html", "text", "attachments").annotations({
  identifier: "EmailContentSummary"
})

/** A message in an event: its state at that time, without bodies and attachments. */
export const MessageEventData = Schema.Struct({
  ...Message.fields,
  content: Schema.Union(EmailContentSummary, SmsContent, WhatsAppContent)
}).annotations({
  identifier: "MessageEventData"
})
export type MessageEventData = typeof MessageEventData.Type

/** A deleted message in an event, without erased fields. */
export const DeletedMessage = Schema.Struct({
  id: MessageId,
  channel: Channel,
  tags: Schema.Array(Schema.String),
  isTest: Schema.Boolean,
  externalId: Schema.NullOr(Schema.String),
  referenceId: Schema.NullOr(Schema.String),
  deletedAt: Timestamp
}).annotations({ identifier: "DeletedMessage" })
export type DeletedMessage = typeof DeletedMessage.Type
