import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../Signatures.js"

/** Whose mail was opened. */
export interface OpenedMail {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  /** The recipient's place among the message's deliveries: who sees the link sees no address. */
  readonly place: number
}

/** Where the image of a mail is, below the service's address. */
export const openPath = "/v1/email/open"

const purpose = "open"

/** Text that stands in a URL as it is, and that nobody else can make. */
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

/** None if the token is not ours. */
export const parseOpenToken = (
  signatures: Context.Tag.Service<Signatures>,
  token: string
): Option.Option<OpenedMail> => {
  const [messageId = "", organizationId = "", place = "", signature = "", ...rest] = token.split(".")
  return rest.length === 0 && signatures.verify(purpose, `${messageId}.${organizationId}.${place}`, signature)
    ? decode({ messageId, organizationId, place })
    : Option.none()
}
