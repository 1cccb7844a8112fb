import { Schema } from "effect"
import { EmailAddress } from "../email/EmailAddress.js"
import { Attachments } from "../messages/Attachment.js"

const longestSubject = 998

/** What the recipient of a mail answers. */
export const MailboxReply = Schema.Struct({
  text: Schema.String.pipe(Schema.filter((text) => text.length > 0 || "must not be empty")).annotations({
    description: "what is answered; the mail is quoted below it",
    jsonSchema: { type: "string", minLength: 1 }
  }),
  html: Schema.optional(
    Schema.String.pipe(Schema.filter((html) => html.length > 0 || "must not be empty")).annotations({
      description: "the same as HTML",
      jsonSchema: { type: "string", minLength: 1 }
    })
  ),
  subject: Schema.optional(
    Schema.String.pipe(
      Schema.filter((text) => !/[\r\n]/.test(text) || "must not contain line breaks"),
      Schema.filter(
        (text) => (text.length > 0 && text.length <= longestSubject) || `must have 1 to ${longestSubject} characters`
      )
    ).annotations({
      description: "that of the mail after `Re: `, if it is left out",
      jsonSchema: { type: "string", minLength: 1, maxLength: longestSubject }
    })
  ),
  from: Schema.optional(
    EmailAddress.annotations({ description: "the recipient who answers; the first, if it is left out" })
  ),
  attachments: Schema.optional(Attachments)
}).annotations({ identifier: "MailboxReply" })
export type MailboxReply = typeof MailboxReply.Type

/** An answer that was taken where mail comes in. */
export class MailboxAnswer extends Schema.Class<MailboxAnswer>("MailboxAnswer")({
  messageId: Schema.String.annotations({ description: "the answer's Message-ID header (RFC 5322)" }),
  from: Schema.String,
  to: Schema.Array(Schema.String).annotations({ description: "the addresses that it was taken for" }),
  subject: Schema.String,
  response: Schema.String.annotations({ description: "the reply of the SMTP server that took it" })
}) {}
