import { replyHeaders } from "@switchboard/domain/email/send/ReplyHeaders"
import type { MailboxReply } from "@switchboard/domain/mailbox/MailboxReply"
import { attachmentBytes } from "@switchboard/domain/messages/Attachment"
import { DateTime } from "effect"
import { plainText } from "../messages/compose/PlainText.js"
import { typeOfFile } from "../messages/compose/TypeOfFile.js"
import type { OutgoingMail } from "../messages/delivery/MailTransport.js"
import type { RawMail } from "./MailboxRepo.js"
import type { ParsedMail } from "./MailParser.js"

/** The mail to reply to, the author and the recipients of the reply. */
export interface ReplyContext {
  readonly mail: Pick<RawMail, "messageId" | "receivedAt">
  readonly parsed: ParsedMail
  readonly author: string
  readonly to: ReadonlyArray<string>
}

const hasReplyPrefix = /^re:/i

const quoted = ({ mail, parsed }: ReplyContext): string => {
  const original = (parsed.text ?? plainText(parsed.html ?? "")).trimEnd()
  const lines = original.split(/\r?\n/).map((line) => (line.startsWith(">") ? `>${line}` : `> ${line}`.trimEnd()))
  return [`On ${DateTime.formatIso(mail.receivedAt)}, ${parsed.from} wrote:`, ...lines].join("\n")
}

/** Composes a reply as a mail client does: with the original quoted below, and with In-Reply-To and References. */
export const recipientReply = (
  context: ReplyContext,
  { attachments = [], html, subject, text }: MailboxReply,
  { date, id }: { readonly date: DateTime.Utc; readonly id: string }
): OutgoingMail => {
  const { author, mail, parsed, to } = context
  const headers = Object.fromEntries(parsed.headers.map(({ name, value }) => [name.toLowerCase(), value]))
  return {
    mailFrom: author,
    rcptTo: to,
    envelopeId: id,
    notify: false,
    messageId: `<${id}@${author.slice(author.lastIndexOf("@") + 1)}>`,
    date,
    from: { address: author },
    to,
    cc: [],
    names: {},
    replyTo: [],
    subject: subject ?? (hasReplyPrefix.test(parsed.subject) ? parsed.subject : `Re: ${parsed.subject}`),
    html: html ?? "",
    text: `${text}\n\n${quoted(context)}\n`,
    headers: { ...replyHeaders({ headers, messageId: mail.messageId }) },
    attachments: attachments.map((attachment) => ({
      filename: attachment.filename,
      contentType: typeOfFile(attachment),
      contentId: attachment.contentId ?? null,
      content: attachmentBytes(attachment)
    })),
    dkim: null
  }
}
