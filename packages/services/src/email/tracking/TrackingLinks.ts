import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../SecretBox.js"

/** A recipient's copy of a message. */
export interface TrackedMail {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  /** The recipient's index in the message's deliveries, so that a link does not reveal an address. */
  readonly place: number
}

/** A link of a recipient's mail. */
export interface TrackedLink extends TrackedMail {
  readonly url: string
}

/** The path of the tracking pixel. */
export const openPath = "/v1/email/open"

/** The path of tracked links, before the token. */
export const clickPath = "/v1/email/click/"

type Signs = Context.Tag.Service<Signatures>

const openPurpose = "open"
const clickPurpose = "click"

const subjectOf = ({ messageId, organizationId, place }: TrackedMail) => `${messageId}.${organizationId}.${place}`

const signed = (signatures: Signs, purpose: string, subject: string) =>
  `${subject}.${signatures.sign(purpose, subject)}`

/** The token of a recipient's pixel: `<message>.<organization>.<place>.<signature>`, safe in a URL. */
export const openToken = (signatures: Signs, mail: TrackedMail): string =>
  signed(signatures, openPurpose, subjectOf(mail))

/**
 * The token of a link: `<message>.<organization>.<place>.<URL in base64url>.<signature>`, safe in a URL. The URL is in
 * the token and not in the database: a link works as long as mail is kept, also after its message is erased.
 */
export const clickToken = (signatures: Signs, { url, ...mail }: TrackedLink): string =>
  signed(signatures, clickPurpose, `${subjectOf(mail)}.${Buffer.from(url).toString("base64url")}`)

const decode = Schema.decodeUnknownOption(
  Schema.Struct({ messageId: MessageId, organizationId: OrganizationId, place: Schema.NumberFromString })
)

/** The parts of a token before its signature. None if their number differs or the signature is invalid. */
const verifiedParts = (
  signatures: Signs,
  purpose: string,
  token: string,
  count: number
): Option.Option<ReadonlyArray<string>> => {
  const end = token.lastIndexOf(".")
  const subject = token.slice(0, Math.max(end, 0))
  const parts = subject.split(".")
  return parts.length === count && signatures.verify(purpose, subject, token.slice(end + 1))
    ? Option.some(parts)
    : Option.none()
}

/** Parses the token of a pixel. None if it is malformed or its signature is invalid. */
export const parseOpenToken = (signatures: Signs, token: string): Option.Option<TrackedMail> =>
  Option.flatMap(verifiedParts(signatures, openPurpose, token, 3), ([messageId, organizationId, place]) =>
    decode({ messageId, organizationId, place })
  )

/** Parses the token of a link. None if it is malformed or its signature is invalid. */
export const parseClickToken = (signatures: Signs, token: string): Option.Option<TrackedLink> =>
  Option.flatMap(
    verifiedParts(signatures, clickPurpose, token, 4),
    ([messageId, organizationId, place, encoded = ""]) =>
      Option.map(decode({ messageId, organizationId, place }), (mail) => ({
        ...mail,
        url: Buffer.from(encoded, "base64url").toString()
      }))
  )

const openPrefix = `${openPath}?token=`

/** The URL of a recipient's pixel. */
export const openUrl = (signatures: Signs, baseUrl: string, mail: TrackedMail): string =>
  `${baseUrl}${openPrefix}${openToken(signatures, mail)}`

/** The URL of a tracked link. */
export const clickUrl = (signatures: Signs, baseUrl: string, link: TrackedLink): string =>
  `${baseUrl}${clickPath}${clickToken(signatures, link)}`

/** The URL at `publicUrl` of the tracking pixel in an HTML body; none if the body has no pixel with a valid signature. */
export const openUrlIn = (signatures: Signs, publicUrl: string, html: string): Option.Option<string> => {
  const start = html.lastIndexOf(openPrefix)
  if (start === -1) return Option.none()
  const token = /^[\w.-]*/.exec(html.slice(start + openPrefix.length))?.[0] ?? ""
  return Option.map(parseOpenToken(signatures, token), (mail) => openUrl(signatures, publicUrl, mail))
}

/** The base URL of the links of a domain: `PUBLIC_URL` with the domain's host for tracking, if it has one. */
export const trackingUrl = (publicUrl: string, trackingDomain: string | null): string => {
  if (trackingDomain === null) return publicUrl
  const url = new URL(publicUrl)
  url.hostname = trackingDomain
  return url.href.replace(/\/+$/, "")
}
