import { createHash, sign } from "node:crypto"
import { promisify } from "node:util"
import type { DkimIdentity } from "@switchboard/services/messages/delivery/MailTransport"
import type { Body } from "../mime/Entity.js"

/** A header field in its relaxed form (RFC 6376 section 3.4.2), without the line's end. */
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

/** A body's end without empty lines and blanks, with a line break unless nothing is left. */
const relaxedEnd = (text: string): string => {
  let end = text.endsWith(" ") ? text.length - 1 : text.length
  while (text.endsWith("\r\n", end)) end -= 2
  return end === 0 ? "" : `${text.slice(0, end)}\r\n`
}

/** The hash of a body in its relaxed form (RFC 6376 section 3.4.4). Base64 is in that form already. */
const relaxedBodyHash = (body: Body): string => {
  const hash = createHash("sha256")
  for (const [index, piece] of body.entries()) {
    const isLast = index === body.length - 1
    if (typeof piece === "string") {
      const text = relaxedText(piece)
      hash.update(isLast ? relaxedEnd(text) : text, "latin1")
    } else hash.update(piece)
  }
  if (Buffer.isBuffer(body.at(-1))) hash.update("\r\n")
  return hash.digest("base64")
}

/** The fields that a signature covers where a mail has them. */
const signed = [
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

/** Named once more than they occur: another one breaks the signature (RFC 6376 section 8.15). */
const sealed = new Set([
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

const signOffThread = promisify<string, Buffer, DkimIdentity["privateKey"], Buffer>(sign)

/** The covered fields in the order of `h=`: those of the same name from the last to the first. */
const covered = (fields: ReadonlyArray<string>) => {
  const relaxed = fields.map(relaxedField).reverse()
  const chosen = signed.map((name) => ({ name, found: relaxed.filter((field) => field.startsWith(`${name}:`)) }))
  return {
    fields: chosen.flatMap(({ found }) => found),
    names: chosen.flatMap(({ found, name }) => [...found.map(() => name), ...(sealed.has(name) ? [name] : [])])
  }
}

const folded = (names: ReadonlyArray<string>): string => {
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

/** The `DKIM-Signature` of a mail (RFC 6376): rsa-sha256, relaxed/relaxed. The same mail has the same one again. */
export const dkimSignature = async (
  { domain, privateKey, selector }: DkimIdentity,
  header: string,
  body: Body
): Promise<string> => {
  const { fields, names } = covered(header.split(/\r\n(?![ \t])/).filter((field) => field !== ""))
  const unsigned = [
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain};`,
    `s=${selector};`,
    folded(names),
    `bh=${relaxedBodyHash(body)};`,
    "b="
  ].join("\r\n ")
  const text = [...fields, relaxedField(unsigned)].join("\r\n")
  const signature = await signOffThread("sha256", Buffer.from(text, "latin1"), privateKey)
  return `${unsigned}${signature.toString("base64").replace(/.{72}(?=.)/g, "$&\r\n ")}\r\n`
}
