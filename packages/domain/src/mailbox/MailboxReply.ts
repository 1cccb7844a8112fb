import { Schema } from "effect"
import { EmailAddress } from "../email/EmailAddress.js"
import { Attachments } from "../messages/Attachment.js"
import { filledText, line } from "../Text.js"

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
