import { Schema } from "effect"
import { MessageId } from "../../messages/Message.js"
import { MessageStatus } from "../../messages/state/MessageStatus.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"
import { MailAuthentication } from "../receiving/MailAuthentication.js"

/** A file of an e-mail, and where it is downloaded. */
export const EmailAttachment = Schema.Struct({
  id: Uuid,
  filename: Schema.String,
  contentType: Schema.String,
  size: Schema.Int.annotations({ description: "the size in bytes" }),
  contentId: Schema.optional(Schema.String.annotations({ description: "what the html names it by, after cid:" })),
  url: Schema.String.annotations({ description: "a link that downloads it without a key, good for 15 minutes" })
}).annotations({ identifier: "EmailAttachment" })
export type EmailAttachment = typeof EmailAttachment.Type

const addresses = Schema.Array(Schema.String)

/** An e-mail as it went out or came in. */
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
      "the headers of mail that came in, those of one name on lines of their own; what was added to mail of ours"
  }),
  attachments: Schema.Array(EmailAttachment),
  threadId: Schema.optional(Uuid),
  authentication: Schema.optional(MailAuthentication),
  size: Schema.Int.annotations({
    description: "the size in bytes, of what came in as a whole, of what went out without its encoding"
  }),
  createdAt: Timestamp,
  sentAt: Schema.optional(Timestamp),
  deliveredAt: Schema.optional(Timestamp)
}) {}
