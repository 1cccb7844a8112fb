import { Schema } from "effect"
import { EmailAddress } from "../email/EmailAddress.js"
import { Attachments } from "../messages/Attachment.js"
import { filledText, line } from "../Text.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

/** An event of a mail after its delivery. */
export const SimulatedEvent = Schema.Literal("bounce", "complaint", "read")
export type SimulatedEvent = typeof SimulatedEvent.Type

/** The event to simulate for a mail of the local mailbox. */
export const MailboxSimulation = Schema.Struct({
  kind: SimulatedEvent.annotations({
    description: "`bounce`: the mail comes back; `complaint`: a report as spam; `read`: the tracking pixel is loaded"
  })
}).annotations({ identifier: "MailboxSimulation" })

/** A reply of a mail's recipient, to send from the local mailbox. */
export const MailboxReply = Schema.Struct({
  text: filledText.annotations({ description: "the text of the reply; the original mail is quoted below it" }),
  html: Schema.optional(filledText.annotations({ description: "the reply as HTML" })),
  subject: Schema.optional(
    line(1, 998).annotations({ description: "the subject; default: `Re: ` and the subject of the mail" })
  ),
  from: Schema.optional(EmailAddress.annotations({ description: "the recipient who replies; default: the first" })),
  attachments: Schema.optional(Attachments)
}).annotations({ identifier: "MailboxReply" })
export type MailboxReply = typeof MailboxReply.Type

/** The reply, as the inbound SMTP server accepted it. */
export class MailboxAnswer extends Schema.Class<MailboxAnswer>("MailboxAnswer")({
  messageId: Schema.String.annotations({ description: "the reply's Message-ID header (RFC 5322)" }),
  from: Schema.String,
  to: Schema.Array(Schema.String).annotations({ description: "the addresses that the SMTP server accepted" }),
  subject: Schema.String,
  response: Schema.String.annotations({ description: "the response of the SMTP server" })
}) {}

export const MailboxMailId = Uuid.pipe(Schema.brand("MailboxMailId"))
export type MailboxMailId = typeof MailboxMailId.Type

const envelope = {
  id: MailboxMailId,
  messageId: Schema.String.annotations({ description: "the Message-ID header (RFC 5322)" }),
  mailFrom: Schema.String.annotations({
    description: "the reverse-path of the SMTP envelope, empty for a notification"
  }),
  rcptTo: Schema.Array(Schema.String).annotations({ description: "the recipients of the SMTP envelope" }),
  size: Schema.Number.annotations({ description: "the size in bytes" }),
  receivedAt: Timestamp
}

/** A mail in the local mailbox, as an item of a list. */
export class MailboxMailSummary extends Schema.Class<MailboxMailSummary>("MailboxMailSummary")({
  ...envelope,
  from: Schema.String,
  to: Schema.Array(Schema.String),
  subject: Schema.String
}) {}

/** A complete mail in the local mailbox. */
export class MailboxMail extends Schema.Class<MailboxMail>("MailboxMail")({
  ...envelope,
  from: Schema.String,
  to: Schema.Array(Schema.String),
  cc: Schema.Array(Schema.String),
  subject: Schema.String,
  headers: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
  text: Schema.NullOr(Schema.String),
  html: Schema.NullOr(Schema.String),
  attachments: Schema.Array(
    Schema.Struct({ filename: Schema.String, contentType: Schema.String, size: Schema.Number })
  ),
  raw: Schema.String.annotations({ description: "the complete mail, header and body, as received over SMTP" })
}) {}
