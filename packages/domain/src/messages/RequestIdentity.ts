import { DateTime, Predicate, Record, String } from "effect"
import { addressKey, type EmailAddress } from "../email/EmailAddress.js"
import type { SendOrReply } from "./SendRequest.js"

/**
 * A value as text in which neither the order of keys nor absent fields can be seen: two requests that mean the same
 * have the same text.
 */
export const canonical = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value)
  if (DateTime.isDateTime(value)) return JSON.stringify(DateTime.formatIso(value))
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (!Predicate.isRecord(value)) return JSON.stringify(value) ?? "null"
  let members = ""
  for (const name of Object.keys(value).sort()) {
    const member = value[name]
    if (member === undefined) continue
    members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${canonical(member)}`
  }
  return `{${members}}`
}

/** Whether a member says what it means to leave it out: each optional flag is off, each list and map is empty then. */
const isDefault = (member: unknown): boolean =>
  member === false || (typeof member === "object" && member !== null && Object.keys(member).length === 0)

const withoutDefaults = (part: object) =>
  Object.fromEntries(Object.entries(part).filter(([, member]) => !isDefault(member)))

/**
 * What must be the same when an idempotency key is used again: the whole decoded request but the key itself. Whether a
 * default is left out or written down is no difference.
 */
export const requestIdentity = ({ email, idempotencyKey: _, ...request }: SendOrReply): string =>
  canonical({ ...withoutDefaults(request), email: withoutDefaults(email) })

/** The same by the words of a request that has defaults written down: what earlier claims were made of. */
export const identityAsWritten = ({ idempotencyKey: _, ...request }: SendOrReply): string | null =>
  [request, request.email].some((part) => Object.values(part).some(isDefault)) ? canonical(request) : null

/** Who gets a message, with contacts already turned into addresses. */
export interface Addressees {
  readonly to: ReadonlyArray<EmailAddress>
  readonly cc: ReadonlyArray<EmailAddress>
  readonly bcc: ReadonlyArray<EmailAddress>
  /** Display names by address. */
  readonly names: Readonly<Record<EmailAddress, string>>
}

const keys = (addresses: ReadonlyArray<EmailAddress>) => addresses.map(addressKey).sort()

/**
 * The text that two sends without a key share if they are the same send: channel, sender, recipients by role and with
 * their names, content, time, and the message that they answer.
 */
export const contentIdentity = (request: SendOrReply, from: string, { bcc, cc, names, to }: Addressees): string => {
  const { attachments, headers, html, replyTo, subject, templateData, templateId, text } = request.email
  return canonical({
    channel: request.channel,
    from,
    to: keys(to),
    cc: keys(cc),
    bcc: keys(bcc),
    // Sends without names have the identity that they had before names were taken.
    names: isDefault(names) ? undefined : Record.mapKeys(names, String.toLowerCase),
    content: withoutDefaults({ attachments, headers, html, replyTo, subject, templateData, templateId, text }),
    scheduledAt: request.scheduledAt,
    inReplyToMessageId: request.inReplyToMessageId
  })
}
