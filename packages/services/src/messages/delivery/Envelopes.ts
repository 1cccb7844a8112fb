import { marketing } from "@switchboard/domain/messages/Categories"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import type { TakenMessage } from "./DeliveryQueue.js"

type Message = Pick<TakenMessage, "categories" | "content" | "state" | "trackOpens">

export const isMarketing = ({ categories }: Pick<Message, "categories">): boolean => categories.includes(marketing)

export const isTracked = ({ content, trackOpens }: Pick<Message, "content" | "trackOpens">): boolean =>
  trackOpens && content.html !== ""

/** Whether each recipient gets a separate mail. */
const hasMailForEach = (message: Pick<Message, "categories" | "content" | "trackOpens">): boolean =>
  isMarketing(message) || isTracked(message)

/** The envelope of the first mail of a message: all recipients, or the first one if each gets a separate mail. */
export const firstEnvelope = (
  message: Omit<Message, "state"> & { readonly state: Pick<Message["state"], "deliveries"> }
): ReadonlyArray<string> => {
  const recipients = message.state.deliveries.map(({ recipient }) => recipient)
  return hasMailForEach(message) ? recipients.slice(0, 1) : recipients
}

/**
 * The envelopes of an attempt: one for all recipients, or one for each if the mail differs by recipient. In that case
 * recipients that were not attempted yet go first, and deferred ones wait for another attempt.
 */
export const envelopesOf = (
  message: Message
): { readonly envelopes: ReadonlyArray<ReadonlyArray<string>>; readonly isFirstTry: boolean } => {
  const open = message.state.deliveries.filter(isOpen)
  if (!hasMailForEach(message)) {
    return { envelopes: [open.map(({ recipient }) => recipient)], isFirstTry: false }
  }
  const untried = open.filter(({ status }) => status === "pending")
  const isFirstTry = untried.length > 0
  return { envelopes: (isFirstTry ? untried : open).map(({ recipient }) => [recipient]), isFirstTry }
}
