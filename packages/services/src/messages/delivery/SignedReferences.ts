import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../SecretBox.js"

/** The verified content of a `Feedback-ID` header. */
export interface FeedbackId {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
}

const purpose = "feedback-id"
const decode = Schema.decodeUnknownOption(Schema.Struct({ organizationId: OrganizationId, messageId: MessageId }))

/** The sender id: the last field, 5 to 15 characters, the same in all mail of the service. */
const senderId = "switchboard"
const uncategorized = "uncategorized"
const maxCategory = 32

/** `category:organization:message.signature:switchboard`. */
const form = new RegExp(`^[^:]*:([^:.]+):([^:.]+)\\.([^:.]+):${senderId}$`)

/** The signed text. */
const subjectOf = (messageId: string, organizationId: string) => `${messageId}:${organizationId}`

/**
 * The header by which Gmail's Postmaster Tools aggregate mail by category and organization. Its signature proves that a
 * mail enclosed in a report was sent by this service.
 */
export const formatFeedbackId = (
  signatures: Context.Tag.Service<Signatures>,
  { messageId, organizationId }: FeedbackId,
  [category = uncategorized]: ReadonlyArray<string> = []
): string => {
  const name = category.replace(/[^A-Za-z0-9._-]/g, "-").slice(0, maxCategory)
  const signature = signatures.sign(purpose, subjectOf(messageId, organizationId))
  return `${name}:${organizationId}:${messageId}.${signature}:${senderId}`
}

/** None if the header has another form or an invalid signature. */
export const parseFeedbackId = (
  signatures: Context.Tag.Service<Signatures>,
  header: string
): Option.Option<FeedbackId> => {
  const [, organizationId = "", messageId = "", signed = ""] = form.exec(header.trim()) ?? []
  return signatures.verify(purpose, subjectOf(messageId, organizationId), signed)
    ? decode({ messageId, organizationId })
    : Option.none()
}

/** The message and the sending domain of a signed address. */
interface AddressedMessage {
  readonly messageId: MessageId
  readonly domain: string
}

const decodeId = Schema.decodeUnknownOption(MessageId)

/** Makes and parses addresses `<prefix>+<message>.<signature>@<subdomain><domain>`. Parsing ignores case. */
const signedAddress = (purpose: string, prefix: string, subdomain: string) => {
  const form = new RegExp(
    `^${prefix}\\+([0-9a-f-]{36})\\.([0-9a-f]{20})@${subdomain.replaceAll(".", "\\.")}([a-z0-9.-]+)$`
  )
  return {
    make: (signatures: Context.Tag.Service<Signatures>, { domain, messageId }: AddressedMessage): string =>
      `${prefix}+${messageId}.${signatures.sign(purpose, messageId)}@${subdomain}${domain}`,
    /** None if the signature is invalid. */
    parse: (signatures: Context.Tag.Service<Signatures>, address: string): Option.Option<AddressedMessage> => {
      const [, id = "", signature = "", domain = ""] = form.exec(address.toLowerCase()) ?? []
      return signatures.verify(purpose, id, signature)
        ? Option.map(decodeId(id), (messageId) => ({ messageId, domain }))
        : Option.none()
    }
  }
}

/** The Reply-To of a message. It identifies the message even if a mail client omits References and In-Reply-To. */
export const replyAddress = signedAddress("reply-address", "r", "")

/** The reverse-path of a message (RFC 5321 section 4.4), to which delivery status notifications are sent. */
export const returnPath = signedAddress("return-path", "b", "bounce.")
