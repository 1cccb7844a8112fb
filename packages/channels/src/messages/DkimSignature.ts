import { sign } from "node:crypto"
import { promisify } from "node:util"
import type { DkimIdentity } from "@switchboard/services/messages/MailTransport"
import type { Body } from "../mime/Entity.js"
import { relaxedBodyHash, relaxedField } from "./RelaxedForm.js"

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
