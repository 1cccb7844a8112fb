import { Schema } from "effect"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

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
