import { Schema } from "effect"
import { EmailAddress } from "../email/EmailAddress.js"
import { Attachments } from "../messages/Attachment.js"

const maxSubjectLength = 998

/** A reply of a mail's recipient, to send from the local mailbox. */
export const MailboxReply = Schema.Struct({
  text: Schema.String.pipe(Schema.filter((text) => text.length > 0 || "must not be empty")).annotations({
    description: "the text of the reply; the original mail is quoted below it",
    jsonSchema: { type: "string", minLength: 1 }
  }),
  html: Schema.optional(
    Schema.String.pipe(Schema.filter((html) => html.length > 0 || "must not be empty")).annotations({
      description: "the reply as HTML",
      jsonSchema: { type: "string", minLength: 1 }
    })
  ),
  subject: Schema.optional(
    Schema.String.pipe(
      Schema.filter((text) => !/[\r\n]/.test(text) || "must not contain line breaks"),
      Schema.filter(
        (text) =>
          (text.length > 0 && text.length <= maxSubjectLength) || `must have 1 to ${maxSubjectLength} characters`
      )
    ).annotations({
      description: "the subject; default: `Re: ` and the subject of the mail",
      jsonSchema: { type: "string", minLength: 1, maxLength: maxSubjectLength }
    })
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
