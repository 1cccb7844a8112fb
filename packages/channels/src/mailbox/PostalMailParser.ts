import { MailParser, type ParsedMail } from "@switchboard/services/mailbox/MailParser"
import { Effect, Layer } from "effect"
import PostalMime, { type Address, type Attachment } from "postal-mime"

/** The addresses of a header field, group members included. */
const addresses = (list: ReadonlyArray<Address> = []): ReadonlyArray<string> =>
  list.flatMap(({ address, group }) => (group === undefined ? address || [] : addresses(group)))

const sizeOf = ({ content }: Attachment) =>
  typeof content === "string" ? Buffer.byteLength(content) : content.byteLength

const read = async (raw: Uint8Array): Promise<ParsedMail> => {
  const { attachments, cc, from, headers, html, replyTo, subject, text, to } = await PostalMime.parse(raw)
  return {
    from: from?.address ?? "",
    to: addresses(to),
    cc: addresses(cc),
    replyTo: addresses(replyTo),
    subject: subject ?? "",
    headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    text: text ?? null,
    html: html ?? null,
    attachments: attachments.map((attachment) => ({
      filename: attachment.filename ?? "",
      contentType: attachment.mimeType,
      size: sizeOf(attachment)
    }))
  }
}

const unreadable: ParsedMail = {
  from: "",
  to: [],
  cc: [],
  replyTo: [],
  subject: "",
  headers: [],
  text: null,
  html: null,
  attachments: []
}

/** Parses the mails of the local mailbox. They are trusted; an unparsable mail becomes an empty one. */
export const PostalMailParser = Layer.succeed(MailParser, {
  parse: (raw) =>
    Effect.orElseSucceed(
      Effect.tryPromise(() => read(raw)),
      () => unreadable
    )
})
