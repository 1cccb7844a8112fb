import { EmailAddress, MailboxText } from "@switchboard/domain/email/EmailAddress"
import type { EmailMetadata, Message } from "@switchboard/domain/messages/Message"
import type { SendOrReply } from "@switchboard/domain/messages/SendRequest"
import { Schema } from "effect"
import type { CompleteMessage } from "./MessageRepo.js"

const decodeAddress = Schema.decodeSync(EmailAddress)
const decodeMailbox = Schema.decodeSync(MailboxText)

/** The reason why a message can't be sent again; null if it can. */
export const resendProblem = ({ content, direction, emailMetadata }: Message): string | null => {
  if (direction === "inbound") return "Only an outbound message can be sent again: this one was received"
  if (emailMetadata == null) return "Only an e-mail can be sent again"
  if (content.erasedAt !== undefined) return "The content of the message was erased"
  const { bcc, cc, to } = emailMetadata
  return [...to, ...cc, ...bcc].length === 0 ? "The recipients of the message were erased" : null
}

/** The request that sends a message again: at once, and without its template, since the content is rendered. */
export const resendRequest = (
  { message, trackOpens }: CompleteMessage,
  { bcc, cc, headers, names = {}, tags, to }: EmailMetadata,
  idempotencyKey: string | undefined
): SendOrReply => {
  const { content } = message
  const recipients = (addresses: ReadonlyArray<string>) =>
    addresses.map((address) => ({ email: decodeAddress(address), name: names[address] }))
  return {
    channel: "email",
    to: recipients(to),
    cc: recipients(cc),
    bcc: recipients(bcc),
    idempotencyKey,
    conversationId: message.conversationId ?? undefined,
    externalId: message.externalId ?? undefined,
    referenceId: message.referenceId ?? undefined,
    tags: message.tags,
    categories: message.categories,
    isTest: message.isTest,
    isAutomated: message.isAutomated,
    resendOf: message.id,
    email: {
      from: decodeMailbox(content.from),
      replyTo: content.replyToOfSender === true ? undefined : content.replyTo,
      headers,
      tags,
      trackOpens
    }
  }
}
