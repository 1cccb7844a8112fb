import {
  MailRefused,
  type NamedAddress,
  type OutgoingMail
} from "@switchboard/services/messages/delivery/MailTransport"
import { Array, DateTime, Effect } from "effect"
import { attachmentPart, isShown } from "../mime/AttachmentPart.js"
import { type Body, type Entity, multipart } from "../mime/Entity.js"
import { headerField, oneLine, textField } from "../mime/HeaderField.js"
import { mailboxField } from "../mime/Mailboxes.js"
import { textPart } from "../mime/TextPart.js"
import { dkimSignature } from "./DkimSignature.js"

/** Longer words of a subject are encoded, so that its lines stay short. */
const maxSubjectWord = 64

/** The content: text and HTML, the files that the HTML shows, and the files that are attached to it. */
const contentOf = ({ attachments, envelopeId, html, text }: OutgoingMail): Entity => {
  const [files, shown] = Array.partition(attachments, (file) => html !== "" && isShown(file))
  const page = () =>
    multipart(
      "related",
      envelopeId,
      [textPart("html", html), ...shown.map((file) => attachmentPart(file, "inline"))],
      ['type="text/html"']
    )
  const plain = () => textPart("plain", text)
  const words = html === "" ? plain() : text === "" ? page() : multipart("alternative", envelopeId, [plain(), page()])
  return multipart("mixed", envelopeId, [words, ...files.map((file) => attachmentPart(file, "attachment"))])
}

const mailboxes = (addresses: ReadonlyArray<string>, names: OutgoingMail["names"] = {}): ReadonlyArray<NamedAddress> =>
  addresses.map((address) => ({ address, name: names[address] }))

/** Without the characters that can't be part of a header field's name. */
const fieldName = (name: string) => name.replace(/[^!-9;-~]/g, "")

/** Fields of the service that are not text: encoded words would not be read in them (RFC 2047 section 5). */
const structured = /^(?:in-reply-to|references|feedback-id|list-.*)$/i

const ownField = (name: string, value: string): string =>
  structured.test(name) ? headerField(name, oneLine(value).split(" ")) : textField(fieldName(name), value)

const entityOf = (mail: OutgoingMail): Entity => {
  const { body, header } = contentOf(mail)
  const fields = [
    mailboxField("From", [mail.from]),
    mailboxField("To", mailboxes(mail.to, mail.names)),
    mailboxField("Cc", mailboxes(mail.cc, mail.names)),
    mailboxField("Reply-To", mailboxes(mail.replyTo)),
    textField("Subject", mail.subject, maxSubjectWord),
    headerField("Message-ID", [mail.messageId.replace(/[^!-~]/g, "")]),
    headerField("Date", [DateTime.toDateUtc(mail.date).toUTCString().replace("GMT", "+0000")]),
    ...Object.entries(mail.headers).map(([name, value]) => ownField(name, value)),
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

/**
 * A mail as the octets that are sent: its lines end with CR LF and have at most 998 characters, all of them ASCII.
 * The same mail gives the same octets again. A mail that can't be signed is not sent.
 */
export const mimeMessage = (mail: OutgoingMail): Effect.Effect<Buffer, MailRefused> =>
  Effect.suspend(() => {
    const { body, header } = entityOf(mail)
    const { dkim } = mail
    return dkim === null
      ? Effect.succeed(octetsOf(header, body))
      : Effect.tryPromise({
          try: async () => octetsOf((await dkimSignature(dkim, header, body)) + header, body),
          catch: (cause) => new MailRefused({ smtpCode: null, response: `The mail can't be signed: ${cause}` })
        })
  })
