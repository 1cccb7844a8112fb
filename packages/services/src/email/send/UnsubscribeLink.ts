import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../Signatures.js"

/** A recipient of a message to unsubscribe. */
export interface Unsubscribe {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  readonly recipient: string
}

/** The path of the unsubscribe page. */
export const unsubscribePath = "/v1/email/unsubscribe"

const purpose = "unsubscribe"

/** A signed token, safe in a URL. */
export const unsubscribeToken = (
  signatures: Context.Tag.Service<Signatures>,
  { messageId, organizationId, recipient }: Unsubscribe
): string => {
  const subject = `${messageId}.${organizationId}.${Buffer.from(recipient).toString("base64url")}`
  return `${subject}.${signatures.sign(purpose, subject)}`
}

const decode = Schema.decodeUnknownOption(
  Schema.Struct({ messageId: MessageId, organizationId: OrganizationId, recipient: EmailAddress })
)

/** None if the signature is invalid. */
export const parseUnsubscribeToken = (
  signatures: Context.Tag.Service<Signatures>,
  token: string
): Option.Option<Unsubscribe> => {
  const [messageId = "", organizationId = "", recipient = "", signature = "", ...rest] = token.split(".")
  return rest.length === 0 && signatures.verify(purpose, `${messageId}.${organizationId}.${recipient}`, signature)
    ? decode({ messageId, organizationId, recipient: Buffer.from(recipient, "base64url").toString() })
    : Option.none()
}
