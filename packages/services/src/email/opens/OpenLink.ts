import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../Signatures.js"

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
