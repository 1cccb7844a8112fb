import { DateTime, Predicate, Record, String } from "effect"
import { addressKey, type EmailAddress } from "../email/EmailAddress.js"
import { FileContent } from "./Attachment.js"
import type { EmailSendOrReply, Send, SmsSendOrRepeat, WhatsAppSendOrRepeat } from "./SendRequest.js"

/** A name that JSON does not escape. */
const plainName = /^\w+$/

/** The text of a file in canonical JSON. */
export type FileText = (file: FileContent) => string

/**
 * The canonical JSON of a value: keys are sorted and undefined members are left out, so that equal requests have equal
 * texts. A caller that hashes large files in slices takes them out with `fileText`.
 */
export const canonical = (value: unknown, fileText: FileText = JSON.stringify): string => {
  if (typeof value === "string") return JSON.stringify(value)
  if (value instanceof FileContent) return fileText(value)
  if (DateTime.isDateTime(value)) return JSON.stringify(DateTime.formatIso(value))
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, fileText)).join(",")}]`
  if (!Predicate.isRecord(value)) return JSON.stringify(value) ?? "null"
  let members = ""
  for (const name of Object.keys(value).sort()) {
    const member = value[name]
    if (member === undefined) continue
    const key = plainName.test(name) ? `"${name}"` : JSON.stringify(name)
    members += `${members === "" ? "" : ","}${key}:${canonical(member, fileText)}`
  }
  return `{${members}}`
}

/** Whether a member has its default value: `false`, an empty list or an empty map. */
const isDefault = (member: unknown): boolean =>
  member === false || (typeof member === "object" && member !== null && Object.keys(member).length === 0)

const withoutDefaults = (part: object) =>
  Object.fromEntries(Object.entries(part).filter(([, member]) => !isDefault(member)))

/**
 * The identity of a request, which must be equal when an idempotency key is reused: the decoded request without the
 * key. A default value counts the same whether it is written or omitted. A resend is identified by its message.
 */
export const requestIdentity = (send: Send, fileText?: FileText): string => {
  if (send.resendOf !== undefined) return canonical({ resendOf: send.resendOf })
  if (send.channel === "sms") {
    const { idempotencyKey: _, sms, ...request } = send
    return canonical({ sms: withoutDefaults(sms), ...withoutDefaults(request) })
  }
  if (send.channel === "whatsapp") {
    const { idempotencyKey: _, whatsapp, ...request } = send
    return canonical({ whatsapp: withoutDefaults(whatsapp), ...withoutDefaults(request) })
  }
  const { email, idempotencyKey: _, submitted, ...request } = send
  return canonical({ email: withoutDefaults(email), mail: submitted?.hash, ...withoutDefaults(request) }, fileText)
}

/** The recipients of an e-mail; contacts are resolved to addresses. */
export interface Addressees {
  readonly to: ReadonlyArray<EmailAddress>
  readonly cc: ReadonlyArray<EmailAddress>
  readonly bcc: ReadonlyArray<EmailAddress>
  /** Display names by address. */
  readonly names: Readonly<Record<EmailAddress, string>>
}

const keys = (addresses: ReadonlyArray<EmailAddress>) => addresses.map(addressKey).sort()

/**
 * The identity of an e-mail without an idempotency key: channel, sender, recipients with role and name, content, time and
 * the message replied to. Resends of a message are the same among themselves, and no other send is.
 */
export const emailIdentity = (
  request: EmailSendOrReply,
  from: string,
  { bcc, cc, names, to }: Addressees,
  fileText?: FileText
): string => {
  if (request.resendOf !== undefined) return canonical({ resendOf: request.resendOf })
  const { attachments, headers, html, replyTo, subject, templateData, templateId, text } = request.email
  const identity = {
    channel: request.channel,
    from,
    to: keys(to),
    cc: keys(cc),
    bcc: keys(bcc),
    // Without names the identity is the one of releases that had no names.
    names: isDefault(names) ? undefined : Record.mapKeys(names, String.toLowerCase),
    content: withoutDefaults({ attachments, headers, html, replyTo, subject, templateData, templateId, text }),
    mail: request.submitted?.hash,
    scheduledAt: request.scheduledAt,
    inReplyToMessageId: request.inReplyToMessageId
  }
  return canonical(identity, fileText)
}

/** The identity of a text message without an idempotency key: channel, sender, recipients, content and time. */
export const smsIdentity = (request: SmsSendOrRepeat, from: string, to: ReadonlyArray<string>): string => {
  if (request.resendOf !== undefined) return canonical({ resendOf: request.resendOf })
  const { templateData, templateId, text } = request.sms
  return canonical({
    channel: request.channel,
    from,
    to: [...to].sort(),
    content: withoutDefaults({ templateData, templateId, text }),
    scheduledAt: request.scheduledAt
  })
}

/** The identity of a WhatsApp message without an idempotency key: channel, sender, recipient, content and time. */
export const whatsappIdentity = (request: WhatsAppSendOrRepeat, from: string, to: string): string =>
  request.resendOf === undefined
    ? canonical({
        channel: request.channel,
        from,
        to,
        content: withoutDefaults(request.whatsapp),
        scheduledAt: request.scheduledAt
      })
    : canonical({ resendOf: request.resendOf })
