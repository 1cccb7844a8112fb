import { MailParser, type ParsedMail } from "@switchboard/services/mailbox/MailParser"
import { Effect, Layer } from "effect"
import PostalMime, { type Address, type Email } from "postal-mime"

const addresses = (list: ReadonlyArray<Address> | undefined) => (list ?? []).flatMap(({ address }) => address || [])

const sizeOf = (content: ArrayBuffer | Uint8Array | string) =>
  typeof content === "string" ? content.length : content.byteLength

const parsed = (email: Email): ParsedMail => ({
  from: email.from?.address ?? "",
  to: addresses(email.to),
  cc: addresses(email.cc),
  subject: email.subject ?? "",
  headers: email.headers.map(({ key, value }) => ({ name: key, value })),
  text: email.text ?? null,
  html: email.html ?? null,
  attachments: email.attachments.map(({ content, filename, mimeType }) => ({
    filename: filename ?? "",
    contentType: mimeType,
    size: sizeOf(content)
  }))
})

const unreadable: ParsedMail = {
  from: "",
  to: [],
  cc: [],
  subject: "",
  headers: [],
  text: null,
  html: null,
  attachments: []
}

/** Reads the mails of the local mailbox, which are our own. */
export const PostalMailParser = Layer.succeed(MailParser, {
  parse: (raw) =>
    Effect.tryPromise(() => PostalMime.parse(raw)).pipe(
      Effect.map(parsed),
      Effect.orElseSucceed(() => unreadable)
    )
})
