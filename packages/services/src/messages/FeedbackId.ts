import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../Signatures.js"

/** What the `Feedback-ID` header of our mail says, once its signature has been checked. */
export interface FeedbackId {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
}

const purpose = "feedback-id"
const decode = Schema.decodeUnknownOption(Schema.Struct({ organizationId: OrganizationId, messageId: MessageId }))

/** `message:organization:signature:switchboard`: a report that encloses our mail's header can be trusted to be about it. */
export const formatFeedbackId = (
  signatures: Context.Tag.Service<Signatures>,
  { messageId, organizationId }: FeedbackId
): string => {
  const subject = `${messageId}:${organizationId}`
  return `${subject}:${signatures.sign(purpose, subject)}:switchboard`
}

/** None if the header is not ours. */
export const parseFeedbackId = (
  signatures: Context.Tag.Service<Signatures>,
  header: string
): Option.Option<FeedbackId> => {
  const [messageId = "", organizationId = "", signature = ""] = header.trim().split(":")
  return signatures.verify(purpose, `${messageId}:${organizationId}`, signature)
    ? decode({ messageId, organizationId })
    : Option.none()
}
