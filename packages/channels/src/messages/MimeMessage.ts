import {
  MimeWriter,
  type NamedAddress,
  type OutgoingMail,
  type SubmittedContent
} from "@switchboard/services/messages/delivery/MailTransport"
import { SendRefused } from "@switchboard/services/messages/delivery/Provider"
import type { StoredAttachment } from "@switchboard/services/messages/MessageRepo"
import { inSlices } from "@switchboard/services/NextTurn"
import { type Slices, sliceBytes } from "@switchboard/services/Slices"
import { Array, DateTime, Effect, Layer, Option } from "effect"
import { attachmentPart, isInlineFile, isInvitation } from "../mime/AttachmentPart.js"
import { type Body, type Entity, multipart, textPart } from "../mime/Entity.js"
import { headerField, listIdField, mailboxField, oneLine, textField } from "../mime/HeaderField.js"
import { fieldValue, headerFields } from "../mime/HeaderFields.js"
import { rewriteHtml } from "../mime/HtmlRewrite.js"
import { dkimSignature, relaxedBodyHash } from "./DkimSignature.js"

/** A subject with a longer word is sent as encoded words, which can be folded. */
const maxSubjectWord = 64

function* parts(files: ReadonlyArray<StoredAttachment>, disposition: "inline" | "attachment"): Slices<Array<Entity>> {
  const entities: Array<Entity> = []
  for (const file of files) entities.push(yield* attachmentPart(file, disposition))
  return entities
}

function* htmlPart({ envelopeId, html }: OutgoingMail, inline: ReadonlyArray<StoredAttachment>): Slices<Entity> {
  const files = yield* parts(inline, "inline")
  return multipart("related", envelopeId, [textPart("html", html), ...files], ['type="text/html"'])
}

/**
 * The content of a mail: multipart/mixed of multipart/alternative, of which the HTML may be multipart/related. The first
 * invitation is an alternative of the text.
 */
function* contentOf(mail: OutgoingMail): Slices<Entity> {
  const { attachments, envelopeId, html, text } = mail
  const invitation = Array.findFirst(attachments, isInvitation)
  const [files, inline] = Array.partition(
    attachments.filter((file) => !Option.contains(invitation, file)),
    (file) => html !== "" && isInlineFile(file)
  )
  const body = multipart("alternative", envelopeId, [
    html === "" || text !== "" ? textPart("plain", text) : yield* htmlPart(mail, inline),
    ...(html === "" || text === "" ? [] : [yield* htmlPart(mail, inline)]),
    ...(yield* parts(Option.toArray(invitation), "inline"))
  ])
  return multipart("mixed", envelopeId, [body, ...(yield* parts(files, "attachment"))])
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

const isBlank = (octet: number | undefined) => octet === 9 || octet === 10 || octet === 13 || octet === 32

/** The end of the last line with content: a signature ignores empty lines after it, which must be in one piece. */
const contentEnd = (content: Buffer): number => {
  let end = content.length
  while (end > 0 && isBlank(content[end - 1])) end -= 1
  return end
}

/** A submitted mail with its HTML parts tracked. */
const trackedMail = (mail: Buffer, trackHtml: NonNullable<SubmittedContent["trackHtml"]>): Slices<Buffer> => {
  const listUnsubscribe = headerFields(mail, mail.length)
    .filter(({ name }) => name === "list-unsubscribe")
    .map(fieldValue)
    .join()
  return rewriteHtml(mail, (html) => trackHtml(html, listUnsubscribe))
}

/** A submitted mail with the fields that the attempt adds, which replace its own. The body is in pieces of whole lines. */
function* submittedEntity({ octets, trackHtml }: SubmittedContent, headers: OutgoingMail["headers"]): Slices<Entity> {
  const submitted = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength)
  const mail = trackHtml === null ? submitted : yield* trackedMail(submitted, trackHtml)
  const added = Object.entries(headers).map(([name, value]) => customField(name, value))
  const replaced = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const fields = headerFields(mail, mail.length)
  const kept = fields.slice(0, -1).filter(({ name }) => !replaced.has(name))
  // Without the empty line before it.
  const content = (fields.at(-1)?.octets ?? Buffer.of()).subarray(2)
  const end = contentEnd(content)
  const body: Array<string> = []
  for (let at = 0; at < content.length; ) {
    const line = content.indexOf("\r\n", at + sliceBytes)
    const next = line < 0 || line + 2 >= end ? content.length : line + 2
    body.push(content.toString("latin1", at, next))
    at = next
    yield
  }
  return { header: [...added, ...kept.map((field) => field.octets.toString("latin1"))].join(""), body }
}

function* entityOf(mail: OutgoingMail): Slices<Entity> {
  if (mail.submitted !== null) return yield* submittedEntity(mail.submitted, mail.headers)
  const { body, header } = yield* contentOf(mail)
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

function* octetsOf(header: string, body: Body): Slices<Buffer> {
  const last = body.at(-1)
  const isEnded = last === undefined || (typeof last === "string" && (last === "" || last.endsWith("\r\n")))
  const pieces = [`${header}\r\n`, ...body, isEnded ? "" : "\r\n"]
  const octets = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    at += typeof piece === "string" ? octets.write(piece, at, "latin1") : piece.copy(octets, at)
    if (piece.length > sliceBytes) yield
  }
  return octets
}

/** Serializes a mail as `mimeMessage` does, without signing it. */
const unsignedMessage = (mail: OutgoingMail): Effect.Effect<Buffer> =>
  Effect.flatMap(inSlices(entityOf(mail)), ({ body, header }) => inSlices(octetsOf(header, body)))

/**
 * Serializes a mail (RFC 5322, RFC 2045) and signs it with DKIM. The result is in CRLF lines of at most 998 octets, ASCII
 * except for attached mails, and identical for each attempt. Fails with `SendRefused` if the mail can't be signed.
 */
export const mimeMessage = Effect.fnUntraced(function* (mail: OutgoingMail) {
  const { dkim } = mail
  const { body, header } = yield* inSlices(entityOf(mail))
  if (dkim === null) return yield* inSlices(octetsOf(header, body))
  const bodyHash = yield* inSlices(relaxedBodyHash(body))
  const signature = yield* Effect.tryPromise({
    try: () => dkimSignature(dkim, header, bodyHash),
    catch: (cause) => new SendRefused({ smtpCode: null, response: `The mail can't be signed: ${cause}` })
  })
  return yield* inSlices(octetsOf(signature + header, body))
})

/** Serializes mail with the functions that delivery uses. */
export const MimeWriterLive = Layer.succeed(MimeWriter, { write: unsignedMessage })
