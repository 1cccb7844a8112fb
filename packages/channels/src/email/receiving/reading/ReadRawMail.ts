import { replyText } from "@switchboard/domain/email/receiving/ReplyText"
import type { ReadMail } from "@switchboard/services/email/receiving/ReadMail"
import { addressList } from "./AddressList.js"
import { firstCharset, mailBody, textOfHtml } from "./MailBody.js"
import { mailLimits } from "./MailLimits.js"
import { bodyText, decodedHeader } from "./MailText.js"
import { readMime } from "./MimeTree.js"

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

/** The text of a mail with HTML only, and the same with all quotes marked. The converter is imported at first use. */
const textsOfHtml = async (html: string) => {
  const { textWithQuoteMarks } = await import("@switchboard/services/email/receiving/QuotedHtml")
  const text = bodyText(await textOfHtml(html), mailLimits.body)
  const marked = textWithQuoteMarks(html)
  return { text, marked: marked === undefined ? text : bodyText(marked, mailLimits.body) }
}

/** Parses a raw mail. Throws `MailLimitExceeded` for a mail beyond the limits. */
export const readRawMail = async (raw: ArrayBuffer): Promise<ReadMail> => {
  const root = readMime(Buffer.from(raw))
  const charset = firstCharset(root)
  const fields = root.fields.map(({ name, value }) => ({ name: name.toLowerCase(), value }))
  const headers = fields.map(({ name, value }) => ({ name, value: decodedHeader(value, charset) }))
  const valueOf = (name: string) => headers.find((header) => header.name === name)?.value ?? ""
  const idsOf = (name: string) =>
    headers.flatMap((header) => (header.name === name ? messageIds(header.value) : [])).slice(-mailLimits.ids)
  const mailboxesOf = (name: string) =>
    fields
      .flatMap((field) => (field.name === name ? addressList(field.value, charset) : []))
      .slice(0, mailLimits.addresses)
  const authors = addressList(fields.find(({ name }) => name === "from")?.value ?? "", charset)
  const subject = valueOf("subject")
  const { html, parts, text: plain } = await mailBody(root)
  const { marked, text } = plain.trim() === "" && html !== "" ? await textsOfHtml(html) : { marked: plain, text: plain }
  return {
    headers,
    messageId: messageIds(valueOf("message-id"))[0] ?? "",
    inReplyTo: idsOf("in-reply-to"),
    references: idsOf("references"),
    from: authors.find(({ address }) => address.includes("@")) ?? authors[0] ?? { name: "", address: "" },
    replyTo: mailboxesOf("reply-to"),
    to: mailboxesOf("to"),
    cc: mailboxesOf("cc"),
    subject,
    text,
    html,
    replyText: replyText(subject, text, marked),
    parts
  }
}
