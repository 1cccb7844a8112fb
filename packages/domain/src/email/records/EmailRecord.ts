import { Schema } from "effect"
import { MessageId } from "../../messages/Message.js"
import { MessageStatus } from "../../messages/state/MessageStatus.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { MailAuthentication } from "../receiving/MailAuthentication.js"

/** An attachment and its download link. */
export const EmailAttachment = Schema.Struct({
  id: Uuid,
  filename: Schema.String,
  contentType: Schema.String,
  size: Schema.Int.annotations({ description: "the size in bytes" }),
  contentId: Schema.optional(
    Schema.String.annotations({ description: "the Content-ID by which the HTML refers to it after cid:" })
  ),
  url: Schema.String.annotations({ description: "a download link that needs no key, valid for 15 minutes" })
}).annotations({ identifier: "EmailAttachment" })
export type EmailAttachment = typeof EmailAttachment.Type

/** The files of a message of any channel. */
export const MessageAttachments = Schema.Struct({ items: Schema.Array(EmailAttachment) }).annotations({
  identifier: "MessageAttachments"
})

const addresses = Schema.Array(Schema.String)

/** An e-mail as it was sent or received. */
export class EmailRecord extends Schema.Class<EmailRecord>("EmailRecord")({
  id: MessageId,
  messageId: Schema.String.annotations({ description: "the Message-ID header (RFC 5322), empty if it has none" }),
  direction: Schema.Literal("outbound", "inbound"),
  status: MessageStatus,
  from: Schema.String,
  to: addresses,
  cc: addresses,
  bcc: Schema.optional(addresses),
  replyTo: addresses,
  subject: Schema.String,
  html: Schema.optional(Schema.String),
  text: Schema.optional(Schema.String),
  headers: Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
    description:
      "all headers of an inbound mail, repeated ones on separate lines; the added headers of an outbound mail"
  }),
  attachments: Schema.Array(EmailAttachment),
  threadId: Schema.optional(Uuid),
  authentication: Schema.optional(MailAuthentication),
  size: Schema.Int.annotations({
    description: "the size in bytes: of the complete inbound mail, or of the outbound content before encoding"
  }),
  createdAt: Timestamp,
  sentAt: Schema.optional(Timestamp),
  deliveredAt: Schema.optional(Timestamp)
}) {}
