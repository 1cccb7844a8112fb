import { DateTime } from "effect"
import { type Delivery, isAccepted, isOpen } from "../../messages/delivery/Delivery.js"
import type { ErrorDetails } from "../../messages/Message.js"
import { move } from "../../messages/state/MessageMoves.js"
import type { MessageState } from "../../messages/state/MessageState.js"
import { canMove } from "../../messages/state/MessageStatus.js"
import { isPermanent, type ReportedRecipient } from "./DeliveryReport.js"

/** What is told of a recipient, in numbers and words. */
const detailsOf = (recipient: string, { enhancedCode, smtpCode }: ReportedRecipient) => ({
  recipient,
  ...(smtpCode === null ? {} : { smtpCode }),
  ...(enhancedCode === null ? {} : { enhancedCode })
})

const withDelivery = (
  state: MessageState,
  recipient: string,
  status: Delivery["status"],
  { response, smtpCode }: ReportedRecipient,
  now: DateTime.Utc
): MessageState => ({
  ...state,
  deliveries: state.deliveries.map((delivery) =>
    delivery.recipient === recipient
      ? {
          recipient,
          status,
          ...(smtpCode === null ? {} : { smtpCode }),
          ...(response === "" ? {} : { response }),
          at: DateTime.formatIso(now)
        }
      : delivery
  ),
  updatedAt: now
})

/**
 * A recipient's copy came back. The message has bounced once nobody is left who has it or may still get it. Whoever read
 * it has it, and whoever comes late or twice changes nothing.
 */
export const returned = (
  state: MessageState,
  { recipient, status }: Delivery,
  news: ReportedRecipient,
  now: DateTime.Utc
): MessageState => {
  if (status !== "sent" && status !== "delivered") return state
  const details = { ...detailsOf(recipient, news), class: isPermanent(news) ? "permanent" : "transient" }
  const error: ErrorDetails = {
    code: "delivery_failed",
    message: news.response === "" ? "The mail came back" : news.response,
    details
  }
  const after: MessageState = {
    ...withDelivery(state, recipient, "bounced", news, now),
    lastError: error.message ?? null,
    errorDetails: { ...error, retryable: false }
  }
  const isLeft = after.deliveries.some((delivery) => isAccepted(delivery) || isOpen(delivery))
  return !isLeft && canMove(state.status, "bounced")
    ? move(after, "bounced", now, { reason: "delivery_failed", metadata: details })
    : after
}

/**
 * A notification confirms a recipient's copy: the final mailbox took it, or the next system took it and sends no more
 * notifications (`relayed`, `expanded`; RFC 3464 section 2.3.3). A copy that bounced, or was read, keeps its status.
 */
export const confirmed = (
  state: MessageState,
  { recipient, status }: Delivery,
  news: ReportedRecipient,
  now: DateTime.Utc
): MessageState => {
  if (status !== "sent") return state
  const after = withDelivery(state, recipient, "delivered", news, now)
  const { action } = news
  return canMove(state.status, "delivered")
    ? move(after, "delivered", now, {
        reason: action === "delivered" ? "delivery_confirmed" : action,
        metadata: { ...detailsOf(recipient, news), ...(news.response === "" ? {} : { response: news.response }) }
      })
    : after
}
