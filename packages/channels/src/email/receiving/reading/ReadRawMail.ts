import type { HeaderAddress, ReadMail, ReadPart } from "@switchboard/services/email/receiving/ReadMail"
import PostalMime, { type Address, type Attachment, type Header } from "postal-mime"
import { checkShape, MailLimitExceeded, mailLimits } from "./MailLimits.js"
import { bodyText, decodedHeader, fileName, headerText } from "./MailText.js"

/** The maximum line length of a mail (RFC 5322 section 2.1.1), so also of a Message-ID. */
const maxIdLength = 998

const bracketed = /<([^<>]*)>/g
const bare = /(?<![^\s,;"'])[^\s<>@,;"']+@[^\s<>@,;"']+/g

/** A Message-ID from the text between angle brackets, which may be folded. */
const idOf = (inside: string): string | null => {
  const id = inside.replace(/\s+/g, "")
  const isOne = id !== "" && id.length <= maxIdLength - 2 && (id === inside.trim() || id.includes("@"))
  return isOne ? `<${id}>` : null
}

/** The Message-IDs of a header field, in angle brackets. Without any brackets, each `local@domain` counts. */
const messageIds = (value: string): ReadonlyArray<string> => {
  const ids = [...value.matchAll(bracketed)].flatMap(([, inside = ""]) => idOf(inside) ?? [])
  const found = ids.length > 0 || value.includes("<") ? ids : (value.match(bare) ?? []).map((id) => `<${id}>`)
  return found.filter((id) => id.length <= maxIdLength)
}

/** A valid field name (RFC 5322 section 2.2). */
const headerName = /^[\x21-\x39\x3B-\x7E]{1,200}$/
const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** The mailboxes of an address list, group members included. */
const mailboxes = (list: ReadonlyArray<Address> = []): ReadonlyArray<HeaderAddress> =>
  list
    .flatMap((one): ReadonlyArray<HeaderAddress> => (one.group === undefined ? [one] : one.group))
    .slice(0, mailLimits.addresses)
    .map(({ address, name }) => ({ name: headerText(name, 1_000), address: headerText(address) }))
    .filter(({ address }) => address !== "" && address.length <= 320)

const partOf = (attachment: Attachment): ReadPart => {
  const { content, contentId, disposition, filename, mimeType, related } = attachment
  return {
    filename: filename === null ? null : fileName(filename),
    contentType: mediaType.test(mimeType) ? mimeType : "application/octet-stream",
    contentId: headerText((contentId ?? "").replace(/[<>]/g, ""), 998) || null,
    isInline: disposition === "inline" || related === true,
    content: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content)
  }
}

const headerOf = ({ key, value }: Header) => (headerName.test(key) ? [{ name: key, value: decodedHeader(value) }] : [])

/** The plain text of a mail, or the text of its HTML. The converter is imported at first use. */
const plainTextOf = async (text: string, html: string): Promise<string> => {
  if (text.trim() !== "" || html === "") return text
  const { plainText } = await import("@switchboard/services/messages/compose/PlainText")
  return bodyText(plainText(html), mailLimits.body)
}

/** Parses a raw mail. Throws `MailLimitExceeded` for a mail beyond the limits. */
export const readRawMail = async (raw: ArrayBuffer): Promise<ReadMail> => {
  checkShape(Buffer.from(raw))
  const email = await PostalMime.parse(raw, {
    // An enclosed mail is an attachment, not part of the text.
    forceRfc822Attachments: true,
    maxNestingDepth: mailLimits.depth,
    maxHeadersSize: mailLimits.headerBytes
  })
  if (email.headers.length > mailLimits.headers) throw new MailLimitExceeded("It has too many headers")
  if (email.attachments.length > mailLimits.attachments) throw new MailLimitExceeded("It has too many attachments")

  const headers = email.headers.flatMap(headerOf)
  const valueOf = (name: string) => headers.find((header) => header.name === name)?.value ?? ""
  const idsOf = (name: string) =>
    headers.flatMap((header) => (header.name === name ? messageIds(header.value) : [])).slice(-mailLimits.ids)
  const [from = { name: "", address: "" }] = mailboxes(email.from === undefined ? [] : [email.from])
  const html = bodyText(email.html ?? "", mailLimits.body)
  return {
    headers,
    messageId: messageIds(valueOf("message-id"))[0] ?? "",
    inReplyTo: idsOf("in-reply-to"),
    references: idsOf("references"),
    from,
    replyTo: mailboxes(email.replyTo),
    to: mailboxes(email.to),
    cc: mailboxes(email.cc),
    subject: valueOf("subject"),
    text: await plainTextOf(bodyText(email.text ?? "", mailLimits.body), html),
    html,
    parts: email.attachments.map(partOf)
  }
}
