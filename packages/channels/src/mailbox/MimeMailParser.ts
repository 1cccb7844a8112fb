import { MailParser, type ParsedMail } from "@switchboard/services/mailbox/MailboxRepo"
import { Effect, Layer } from "effect"
import { addressList } from "../email/receiving/reading/AddressList.js"
import { mailBody } from "../email/receiving/reading/MailBody.js"
import { decodedHeader } from "../email/receiving/reading/MailText.js"
import { fieldValue, readMime } from "../email/receiving/reading/MimeTree.js"

const read = async (raw: Uint8Array): Promise<ParsedMail> => {
  const root = readMime(Buffer.from(raw))
  const { html, parts, text } = await mailBody(root)
  const addresses = (name: string) => addressList(fieldValue(root.fields, name)).map(({ address }) => address)
  return {
    from: addresses("from")[0] ?? "",
    to: addresses("to"),
    cc: addresses("cc"),
    replyTo: addresses("reply-to"),
    subject: decodedHeader(fieldValue(root.fields, "subject")),
    headers: root.fields.map(({ name, value }) => ({ name, value: Buffer.from(value, "latin1").toString() })),
    text: text === "" ? null : text,
    html: html === "" ? null : html,
    attachments: parts.map(({ content, contentType, filename }) => ({
      filename: filename ?? "",
      contentType,
      size: content.byteLength
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
export const MimeMailParser = Layer.succeed(MailParser, {
  parse: (raw) =>
    Effect.orElseSucceed(
      Effect.tryPromise(() => read(raw)),
      () => unreadable
    )
})
