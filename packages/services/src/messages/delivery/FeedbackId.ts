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
