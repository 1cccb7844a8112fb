import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../SecretBox.js"

/** The message and recipient of an open. */
export interface OpenedMail {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  /** The recipient's index in the message's deliveries, so that the link does not reveal an address. */
  readonly place: number
}

/** The path of the tracking pixel. */
export const openPath = "/v1/email/open"

const purpose = "open"

/** The token of a recipient's pixel: `<message>.<organization>.<place>.<signature>`, safe in a URL. */
export const openToken = (
  signatures: Context.Tag.Service<Signatures>,
  { messageId, organizationId, place }: OpenedMail
): string => {
  const subject = `${messageId}.${organizationId}.${place}`
  return `${subject}.${signatures.sign(purpose, subject)}`
}

const decode = Schema.decodeUnknownOption(
  Schema.Struct({ messageId: MessageId, organizationId: OrganizationId, place: Schema.NumberFromString })
)

/** Parses a token. None if it is malformed or its signature is invalid. */
export const parseOpenToken = (
  signatures: Context.Tag.Service<Signatures>,
  token: string
): Option.Option<OpenedMail> => {
  const [messageId = "", organizationId = "", place = "", signature = "", ...rest] = token.split(".")
  return rest.length === 0 && signatures.verify(purpose, `${messageId}.${organizationId}.${place}`, signature)
    ? decode({ messageId, organizationId, place })
    : Option.none()
}

/** The last closing body tag: earlier ones may be in a script or a comment. */
const bodyEnd = /<\/body\s*>(?![\s\S]*<\/body\s*>)/i

const prefixOf = (publicUrl: string) => `${publicUrl}${openPath}?token=`

/** Adds the tracking pixel to the end of an HTML body. */
export const trackedHtml = (
  signatures: Context.Tag.Service<Signatures>,
  publicUrl: string,
  html: string,
  mail: OpenedMail
): string => {
  if (html === "") return html
  const address = prefixOf(publicUrl) + openToken(signatures, mail)
  // Gmail and others don't load images with a hidden style.
  const image = `<img src="${address.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}" width="1" height="1" alt="">`
  const end = html.search(bodyEnd)
  return end === -1 ? `${html}${image}` : `${html.slice(0, end)}${image}${html.slice(end)}`
}

/** The URL of the tracking pixel in an HTML body; none if the body has no pixel of this public URL. */
export const openUrlIn = (publicUrl: string, html: string): Option.Option<string> => {
  const prefix = prefixOf(publicUrl)
  const start = html.lastIndexOf(prefix)
  if (start === -1) return Option.none()
  const token = /^[\w.-]*/.exec(html.slice(start + prefix.length))?.[0]
  return Option.some(prefix + token)
}
