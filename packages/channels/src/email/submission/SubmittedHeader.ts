import { randomUUID } from "node:crypto"
import type { HeaderAddress } from "@switchboard/services/email/receiving/ReadMail"
import { fieldValue, headerFields, type RawField } from "../../mime/HeaderFields.js"
import { addressList } from "../receiving/reading/AddressList.js"
import { decodedHeader } from "../receiving/reading/MailText.js"
import { mailLimits } from "../receiving/reading/MimeHeader.js"

/** Fields for this service. */
const ownPrefix = "x-switchboard-"

/** Fields that do not go out: blind recipients, and the reverse-path of another transaction (RFC 6409 section 8). */
const removedFields: ReadonlySet<string> = new Set(["bcc", "return-path"])

const messageIdForm = /^<[^<>\s\x80-\xff]{1,990}>$/

/** What the header section of a submitted mail says about its sending. */
export interface SubmittedHeader {
  /** The number of `Received` fields. */
  readonly hops: number
  /** The addresses of all From fields. */
  readonly authors: ReadonlyArray<HeaderAddress>
  /** The decoded fields for this service, without their prefix and in lower case. */
  readonly own: Readonly<Record<string, string>>
  /** Whether any field has octets beyond ASCII (RFC 6532). */
  readonly hasEighthBit: boolean
  /** The Message-ID with angle brackets; null if the mail has no valid one. */
  readonly messageId: string | null
  /** The mail as it goes out: with Date, Message-ID and MIME-Version, without the fields that do not go out. */
  readonly complete: (now: Date) => { readonly octets: Buffer; readonly messageId: string }
}

/** Reads the header section of a mail whose lines end with CRLF. */
export const submittedHeader = (raw: Buffer): SubmittedHeader => {
  const fields = headerFields(raw, mailLimits.headerBytes)
  const header = fields.slice(0, -1)
  const body = fields.at(-1)?.octets ?? Buffer.of()
  const named = (wanted: string) => header.filter(({ name }) => name === wanted)
  const authors = named("from").flatMap((field) => addressList(fieldValue(field)))
  const [idField, ...moreIds] = named("message-id")
  const written = idField === undefined ? "" : fieldValue(idField)
  const messageId = moreIds.length === 0 && messageIdForm.test(written) ? written : null
  const isKept = ({ name }: RawField) =>
    !removedFields.has(name) && !name.startsWith(ownPrefix) && (name !== "message-id" || messageId !== null)

  const complete = (now: Date) => {
    const id = messageId ?? `<${randomUUID()}@${authors[0]?.address.split("@").at(-1) ?? "localhost"}>`
    const added = [
      ...(named("date").length === 0 ? [`Date: ${now.toUTCString().replace("GMT", "+0000")}\r\n`] : []),
      ...(messageId === null ? [`Message-ID: ${id}\r\n`] : []),
      ...(named("mime-version").length === 0 ? ["MIME-Version: 1.0\r\n"] : [])
    ]
    const kept = header.filter(isKept).map(({ octets }) => octets)
    const end = body.length === 0 ? Buffer.from("\r\n") : body
    return { messageId: id, octets: Buffer.concat([...added.map((field) => Buffer.from(field)), ...kept, end]) }
  }
  return {
    hops: named("received").length,
    authors,
    own: Object.fromEntries(
      header.flatMap((field) =>
        field.name.startsWith(ownPrefix) ? [[field.name.slice(ownPrefix.length), decodedHeader(fieldValue(field))]] : []
      )
    ),
    hasEighthBit: header.some(({ octets }) => octets.some((octet) => octet > 0x7f)),
    messageId,
    complete
  }
}
