import { createPrivateKey } from "node:crypto"
import { atOnce } from "@switchboard/services/Slices"
import { dkimSignature, relaxedBodyHash } from "../../messages/DkimSignature.js"
import { mailboxField } from "../../mime/HeaderField.js"
import { addressList } from "../receiving/reading/AddressList.js"
import type { SigningKeyPem } from "./SealArc.js"

export interface RewriteInput extends SigningKeyPem {
  readonly raw: ArrayBuffer
  /** The new From address. */
  readonly address: string
}

export interface RewrittenMail {
  readonly raw: Uint8Array
}

const nameOf = (field: string): string => field.slice(0, field.indexOf(":")).trimEnd().toLowerCase()
const valueOf = (field: string): string => field.slice(field.indexOf(":") + 1).trim()

/** The display name of the first From mailbox, or its address. */
const authorOf = (from: string): string => {
  const [{ address, name } = { address: "", name: "" }] = addressList(from.replace(/[\r\n]+/g, ""))
  return name || address
}

/**
 * Replaces From, adds Reply-To and X-Original-From, and signs with DKIM for the new domain. The original DKIM signatures
 * stay: a verifier treats a broken signature as none (RFC 6376 section 6.1).
 */
export const rewriteFrom = async ({
  address,
  privateKey,
  raw,
  selector,
  signingDomain
}: RewriteInput): Promise<RewrittenMail> => {
  const text = `\r\n${Buffer.from(raw).toString("latin1")}`
  const end = text.indexOf("\r\n\r\n")
  const [head, body] = end < 0 ? [text.trimEnd(), ""] : [text.slice(0, end), text.slice(end + 4)]
  const fields = head.split(/\r\n(?![ \t])/).slice(1)
  const from = fields.filter((field) => nameOf(field) === "from").map(valueOf)[0] ?? ""
  const hasReplyTo = fields.some((field) => nameOf(field) === "reply-to")
  const otherFields = fields.filter((field) => !["from", "x-original-from"].includes(nameOf(field)))
  const header = [
    mailboxField("From", [{ address, name: `${authorOf(from)} via ${signingDomain}`.trimStart() }]),
    ...(from === "" || hasReplyTo ? [] : [`Reply-To: ${from}\r\n`]),
    ...(from === "" ? [] : [`X-Original-From: ${from}\r\n`]),
    ...otherFields.map((field) => `${field}\r\n`)
  ].join("")
  const identity = { domain: signingDomain, selector, privateKey: createPrivateKey(privateKey) }
  const signature = await dkimSignature(identity, header, atOnce(relaxedBodyHash([body])))
  return { raw: Buffer.from(`${signature}${header}\r\n${body}`, "latin1") }
}
