import {
  MailRefused,
  type NamedAddress,
  type OutgoingMail
} from "@switchboard/services/messages/delivery/MailTransport"
import { Array, DateTime, Effect } from "effect"
import { attachmentPart, isInlineFile, isInvitation } from "../mime/AttachmentPart.js"
import { type Body, type Entity, multipart } from "../mime/Entity.js"
import { headerField, oneLine, textField } from "../mime/HeaderField.js"
import { listIdField, mailboxField } from "../mime/Mailboxes.js"
import { textPart } from "../mime/TextPart.js"
import { dkimSignature } from "./DkimSignature.js"

/** A subject with a longer word is sent as encoded words, which can be folded. */
const maxSubjectWord = 64

/**
 * The content of a mail: multipart/mixed of multipart/alternative, of which the HTML may be multipart/related. The first
 * invitation is an alternative of the text.
 */
const contentOf = ({ attachments, envelopeId, html, text }: OutgoingMail): Entity => {
  const invitation = attachments.find(isInvitation)
  const [files, inline] = Array.partition(
    attachments.filter((file) => file !== invitation),
    (file) => html !== "" && isInlineFile(file)
  )
  const htmlPart = () =>
    multipart(
      "related",
      envelopeId,
      [textPart("html", html), ...inline.map((file) => attachmentPart(file, "inline"))],
      ['type="text/html"']
    )
  const body = multipart("alternative", envelopeId, [
    html === "" || text !== "" ? textPart("plain", text) : htmlPart(),
    ...(html === "" || text === "" ? [] : [htmlPart()]),
    ...(invitation === undefined ? [] : [attachmentPart(invitation, "inline")])
  ])
  return multipart("mixed", envelopeId, [body, ...files.map((file) => attachmentPart(file, "attachment"))])
}

const mailboxes = (addresses: ReadonlyArray<string>, names: OutgoingMail["names"]): ReadonlyArray<NamedAddress> =>
  addresses.map((address) => ({ address, name: names[address] }))

/** Removes the characters that a field name can't contain (RFC 5322 section 2.2). */
const fieldName = (name: string) => name.replace(/[^!-9;-~]/g, "")

/** Structured fields, in which encoded words are not decoded (RFC 2047 section 5). */
const structured = /^(?:in-reply-to|references|feedback-id|auto-submitted|list-.*)$/i

const customField = (name: string, value: string): string => {
  if (/^list-id$/i.test(name)) return listIdField(value)
  return structured.test(name) ? headerField(name, oneLine(value).split(" ")) : textField(fieldName(name), value)
}

const entityOf = (mail: OutgoingMail): Entity => {
  const { body, header } = contentOf(mail)
  const fields = [
    mailboxField("From", [mail.from]),
    mailboxField("To", mailboxes(mail.to, mail.names)),
    mailboxField("Cc", mailboxes(mail.cc, mail.names)),
    mailboxField("Reply-To", mail.replyTo),
    textField("Subject", mail.subject, maxSubjectWord),
    headerField("Message-ID", [mail.messageId.replace(/[^!-~]/g, "")]),
    headerField("Date", [DateTime.toDateUtc(mail.date).toUTCString().replace("GMT", "+0000")]),
    ...Object.entries(mail.headers).map(([name, value]) => customField(name, value)),
    "MIME-Version: 1.0\r\n",
    header
  ]
  return { header: fields.join(""), body }
}

const octetsOf = (header: string, body: Body): Buffer => {
  const last = body.at(-1)
  const isEnded = typeof last === "string" && (last === "" || last.endsWith("\r\n"))
  return Buffer.concat(
    [`${header}\r\n`, ...body, isEnded ? "" : "\r\n"].map((piece) =>
      typeof piece === "string" ? Buffer.from(piece, "latin1") : piece
    )
  )
}

/** Serializes a mail as `mimeMessage` does, without signing it. */
export const unsignedMessage = (mail: OutgoingMail): Buffer => {
  const { body, header } = entityOf(mail)
  return octetsOf(header, body)
}

/**
 * Serializes a mail (RFC 5322, RFC 2045) and signs it with DKIM. The result is in CRLF lines of at most 998 octets, ASCII
 * except for attached mails, and identical for each attempt. Fails with `MailRefused` if the mail can't be signed.
 */
export const mimeMessage = (mail: OutgoingMail): Effect.Effect<Buffer, MailRefused> =>
  Effect.suspend(() => {
    const { dkim } = mail
    if (dkim === null) return Effect.succeed(unsignedMessage(mail))
    const { body, header } = entityOf(mail)
    return Effect.tryPromise({
      try: async () => octetsOf((await dkimSignature(dkim, header, body)) + header, body),
      catch: (cause) => new MailRefused({ smtpCode: null, response: `The mail can't be signed: ${cause}` })
    })
  })
