import { fieldOf } from "@switchboard/domain/email/feedback/ReportFields"
import { Effect, Option } from "effect"
import { parseFeedbackId } from "../../messages/delivery/SignedReferences.js"
import { PublicUrl } from "../../PublicUrl.js"
import { Signatures } from "../../SecretBox.js"
import { unsignedLinks } from "../send/SignedLinks.js"
import { headerOf } from "./ReadMail.js"

/** A longer mail is left as it is: mails with a signed link are small, and the limit bounds the time for a hostile mail. */
const maxOctets = 1024 * 1024

/** A body in base64, with the field that says so. A longer body is an attachment. */
const base64Body =
  /^(content-transfer-encoding:[ \t]*base64\b.*\r?\n(?:[!-9;-~]+:.*\r?\n(?:[ \t].*\r?\n){0,8}){0,8}\r?\n)([A-Za-z0-9+/=\r\n]{1,524288})(?![A-Za-z0-9+/=\r\n])/gim

const lines = (base64: string) => base64.replace(/.{76}/g, "$&\r\n")

/**
 * The octets of a received mail as a reader of messages can see them. A bounce, complaint or reply can contain a mail of
 * this service with a signed link: its signature is removed. A mail of this service that was received itself keeps its
 * link, by which its recipient confirms.
 */
export const withoutReturnedLinks = Effect.gen(function* () {
  const signatures = yield* Signatures
  const unsigned = unsignedLinks(new URL(yield* PublicUrl).hostname)

  const isOwn = (raw: Uint8Array) =>
    Option.isSome(parseFeedbackId(signatures, fieldOf(headerOf(raw), "feedback-id").replace(/\s+/g, "")))

  return (raw: Uint8Array): Uint8Array => {
    if (raw.byteLength > maxOctets) return raw
    const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString("latin1")
    const readable = unsigned(text).replace(base64Body, (all, header: string, body: string) => {
      const decoded = Buffer.from(body, "base64").toString("latin1")
      const changed = unsigned(decoded)
      return changed === decoded ? all : `${header}${lines(Buffer.from(changed, "latin1").toString("base64"))}\r\n`
    })
    return readable === text || isOwn(raw) ? raw : Buffer.from(readable, "latin1")
  }
})
