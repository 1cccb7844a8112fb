import { DateTime, Option } from "effect"
import { type Delivery, isAccepted, isOpen } from "../../messages/delivery/Delivery.js"
import type { ErrorDetails } from "../../messages/Message.js"
import { move } from "../../messages/state/MessageMoves.js"
import type { MessageState } from "../../messages/state/MessageState.js"
import { canMove } from "../../messages/state/MessageStatus.js"
import { domainToAscii } from "../EmailAddress.js"
import { type DeliveryReport, isPermanent, type ReportedRecipient } from "./DeliveryReport.js"

/** The form in which addresses are compared: without case, and the domain as A-labels. */
export const recipientKey = (address: string): string => {
  const at = address.lastIndexOf("@") + 1
  const domain = address.slice(at)
  return (address.slice(0, at) + Option.getOrElse(domainToAscii(domain), () => domain)).toLowerCase()
}

/**
 * The delivery that a report is about: the first of the addresses that is a recipient of the message. A message with a
 * single recipient matches any address, since the mail may have been forwarded.
 */
export const findRecipient = (
  { deliveries }: Pick<MessageState, "deliveries">,
  addresses: ReadonlyArray<string>
): Option.Option<Delivery> => {
  const byKey = new Map(deliveries.map((delivery) => [recipientKey(delivery.recipient), delivery]))
  const named = addresses.map((address) => byKey.get(recipientKey(address))).find((delivery) => delivery !== undefined)
  return Option.fromNullable(named ?? (deliveries.length === 1 ? deliveries[0] : undefined))
}

/** The recipient and the codes of a report. */
const detailsOf = (recipient: string, { enhancedCode, smtpCode }: ReportedRecipient) => ({
  recipient,
  ...(smtpCode === null ? {} : { smtpCode }),
  ...(enhancedCode === null ? {} : { enhancedCode })
})

const withDelivery = (
  state: MessageState,
  recipient: string,
  status: Delivery["status"],
  { reason, response, smtpCode }: ReportedRecipient,
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
          ...(status === "bounced" ? { reason } : {}),
          at: DateTime.formatIso(now)
        }
      : delivery
  ),
  updatedAt: now
})

/**
 * Marks a recipient's copy as bounced. The message bounces once no delivery is accepted or open. A delivery that was
 * read or has already bounced keeps its status.
 */
export const applyBounce = (
  state: MessageState,
  { recipient, status }: Delivery,
  news: ReportedRecipient,
  now: DateTime.Utc
): MessageState => {
  if (status !== "sent" && status !== "delivered") return state
  const details = {
    ...detailsOf(recipient, news),
    reason: news.reason,
    class: isPermanent(news) ? "permanent" : "transient"
  }
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
export const applyConfirmation = (
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

/** Applies a report to a message. None if a reported recipient's delivery is still open: the report came too early. */
export const applyReport = (
  state: MessageState,
  report: DeliveryReport,
  now: DateTime.Utc
): Option.Option<MessageState> => {
  const apply = (current: MessageState, news: ReportedRecipient): Option.Option<MessageState> => {
    if (news.action === "delayed") return Option.some(current)
    return Option.match(findRecipient(current, news.addresses), {
      onNone: () => Option.some(current),
      onSome: (delivery) =>
        isOpen(delivery)
          ? Option.none()
          : Option.some((news.action === "failed" ? applyBounce : applyConfirmation)(current, delivery, news, now))
    })
  }
  return report.reduce((current, news) => Option.flatMap(current, (found) => apply(found, news)), Option.some(state))
}
