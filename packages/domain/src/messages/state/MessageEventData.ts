import { Schema } from "effect"
import { Timestamp } from "../../Timestamp.js"
import { Channel, EmailContent, Message, MessageId } from "../Message.js"

/** What an e-mail event tells of its content: not the body, not the files. */
export const EmailContentSummary = EmailContent.omit("html", "text", "attachments").annotations({
  identifier: "EmailContentSummary"
})

/** A message as its events tell of it: as it was then, without bodies and attachments. */
export const MessageEventData = Schema.Struct({ ...Message.fields, content: EmailContentSummary }).annotations({
  identifier: "MessageEventData"
})
export type MessageEventData = typeof MessageEventData.Type

/** What is told of a message whose record was deleted: nothing of what was erased. */
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
