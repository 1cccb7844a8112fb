import type { OutgoingMail } from "@switchboard/services/messages/MailTransport"
import { DateTime } from "effect"
import type { SendMailOptions } from "nodemailer"
import { fileType } from "./FileType.js"

const named = (address: string) => ({ name: "", address })

/** The original recipient can be told of one alone: the composer has one for all of a mail's recipients. */
const originalRecipient = ([recipient, ...others]: ReadonlyArray<string>) =>
  recipient === undefined || others.length > 0 ? {} : { recipient }

/**
 * A mail as the MIME composer takes it: nothing in it is a path, an address to fetch, or a list in one string, and
 * nothing differs from attempt to attempt.
 */
export const smtpMail = (mail: OutgoingMail): SendMailOptions => ({
  envelope: { from: named(mail.mailFrom), to: mail.rcptTo.map(named) },
  dsn: {
    id: mail.envelopeId,
    ret: "HDRS",
    ...(mail.notify ? { notify: ["SUCCESS", "FAILURE", "DELAY"], ...originalRecipient(mail.rcptTo) } : {})
  },
  messageId: mail.messageId,
  date: DateTime.toDateUtc(mail.date),
  baseBoundary: mail.envelopeId,
  from: { name: mail.from.name ?? "", address: mail.from.address },
  to: mail.to.map(named),
  cc: mail.cc.map(named),
  replyTo: mail.replyTo.map(named),
  subject: mail.subject,
  html: mail.html,
  text: mail.text,
  headers: { ...mail.headers },
  attachments: mail.attachments.map(({ content, contentId, contentType, filename }) => ({
    filename,
    contentType: fileType(contentType, content),
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    ...(contentId === null ? {} : { cid: contentId, contentDisposition: "inline" })
  })),
  disableFileAccess: true,
  disableUrlAccess: true
})
