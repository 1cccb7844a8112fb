import { marketing } from "@switchboard/domain/messages/Categories"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import type { TakenMessage } from "./DeliveryQueue.js"

type Message = Pick<TakenMessage, "categories" | "content" | "state" | "trackOpens">

export const isMarketing = ({ categories }: Pick<Message, "categories">): boolean => categories.includes(marketing)

export const isTracked = ({ content, trackOpens }: Pick<Message, "content" | "trackOpens">): boolean =>
  trackOpens && content.html !== ""

/**
 * The envelopes of an attempt: one for all recipients, or one for each if the mail differs by recipient. In that case
 * recipients that were not attempted yet go first, and deferred ones wait for another attempt.
 */
export const envelopesOf = (
  message: Message
): { readonly envelopes: ReadonlyArray<ReadonlyArray<string>>; readonly isFirstTry: boolean } => {
  const open = message.state.deliveries.filter(isOpen)
  if (!isMarketing(message) && !isTracked(message)) {
    return { envelopes: [open.map(({ recipient }) => recipient)], isFirstTry: false }
  }
  const untried = open.filter(({ status }) => status === "pending")
  const isFirstTry = untried.length > 0
  return { envelopes: (isFirstTry ? untried : open).map(({ recipient }) => [recipient]), isFirstTry }
}
