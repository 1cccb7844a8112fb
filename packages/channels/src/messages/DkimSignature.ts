import { createHash, sign } from "node:crypto"
import { promisify } from "node:util"
import type { DkimIdentity } from "@switchboard/services/messages/delivery/MailTransport"
import { type Slices, sliceBytes } from "@switchboard/services/Slices"
import type { Body } from "../mime/Entity.js"

/** A header field in relaxed canonicalization (RFC 6376 section 3.4.2), without the final CRLF. */
const relaxedField = (field: string): string => {
  const colon = field.indexOf(":")
  const name = field.slice(0, colon).toLowerCase().trimEnd()
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ")
    .replace(/^ | $/g, "")
  return `${name}:${value}`
}

const relaxedText = (text: string): string => text.replace(/\t[ \t]*| [ \t]+/g, " ").replaceAll(" \r\n", "\r\n")

/** The last piece of a body without trailing white space and empty lines, ended by CRLF unless it is empty. */
const relaxedEnd = (text: string): string => {
  let end = text.endsWith(" ") ? text.length - 1 : text.length
  while (text.endsWith("\r\n", end)) end -= 2
  return end === 0 ? "" : `${text.slice(0, end)}\r\n`
}

/** The hash (bh=) of a body in relaxed canonicalization (RFC 6376 section 3.4.4), which leaves base64 unchanged. */
export function* relaxedBodyHash(body: Body): Slices<string> {
  const hash = createHash("sha256")
  for (const [index, piece] of body.entries()) {
    const isLast = index === body.length - 1
    if (typeof piece === "string") {
      const text = relaxedText(piece)
      hash.update(isLast ? relaxedEnd(text) : text, "latin1")
    } else hash.update(piece)
    if (piece.length > sliceBytes) yield
  }
  if (Buffer.isBuffer(body.at(-1))) hash.update("\r\n")
  return hash.digest("base64")
}

/** The header fields that a signature covers if the mail has them. */
const signedFields = [
  "from",
  "to",
  "cc",
  "subject",
  "date",
  "message-id",
  "in-reply-to",
  "references",
  "reply-to",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "list-id",
  "feedback-id"
]

/** Oversigned fields: listed once more than they occur, so that an added one breaks the signature (RFC 6376 section 8.15). */
const oversignedFields = new Set([
  "from",
  "to",
  "cc",
  "subject",
  "date",
  "reply-to",
  "message-id",
  "mime-version",
  "content-type",
  "list-unsubscribe",
  "list-unsubscribe-post"
])

/** Signs in libuv's thread pool. */
const signAsync = promisify<string, Buffer, DkimIdentity["privateKey"], Buffer>(sign)

/** The signed fields in the order of `h=`; fields of the same name from the last to the first (section 5.4.2). */
const selectFields = (fields: ReadonlyArray<string>) => {
  const relaxed = fields.map(relaxedField).reverse()
  const selected = signedFields.map((name) => ({
    name,
    found: relaxed.filter((field) => field.startsWith(`${name}:`))
  }))
  return {
    fields: selected.flatMap(({ found }) => found),
    names: selected.flatMap(({ found, name }) => [
      ...found.map(() => name),
      ...(oversignedFields.has(name) ? [name] : [])
    ])
  }
}

/** The `h=` tag, folded to lines of at most 76 characters. */
const headerTag = (names: ReadonlyArray<string>): string => {
  const lines: Array<string> = []
  let line = "h="
  for (const [index, name] of names.entries()) {
    const part = index === names.length - 1 ? `${name};` : `${name}:`
    if (line.length + part.length > 76) {
      lines.push(line)
      line = part
    } else line += part
  }
  return [...lines, line].join("\r\n ")
}

/**
 * The `DKIM-Signature` field of a mail (RFC 6376): rsa-sha256, relaxed/relaxed, no timestamp. Deterministic. `bodyHash` is
 * the result of `relaxedBodyHash`.
 */
export const dkimSignature = async (
  { domain, privateKey, selector }: DkimIdentity,
  header: string,
  bodyHash: string
): Promise<string> => {
  const { fields, names } = selectFields(header.split(/\r\n(?![ \t])/).filter((field) => field !== ""))
  const unsigned = [
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain};`,
    `s=${selector};`,
    headerTag(names),
    `bh=${bodyHash};`,
    "b="
  ].join("\r\n ")
  const text = [...fields, relaxedField(unsigned)].join("\r\n")
  const signature = await signAsync("sha256", Buffer.from(text, "latin1"), privateKey)
  return `${unsigned}${signature.toString("base64").replace(/.{72}(?=.)/g, "$&\r\n ")}\r\n`
}
