import { DateTime, Option } from "effect"
import { type Delivery, isAccepted, isOpen } from "../messages/delivery/Delivery.js"
import type { FailureReason } from "../messages/delivery/FailureReason.js"
import type { ErrorDetails } from "../messages/Message.js"
import { move } from "../messages/state/MessageMoves.js"
import type { MessageState } from "../messages/state/MessageState.js"
import { canMove, type MessageStatus } from "../messages/state/MessageStatus.js"

/** What a provider reported about the delivery to one recipient: that of all segments, if the text has several. */
export interface DeliveryReceipt {
  /** The phone number, as in the delivery. */
  readonly recipient: string
  readonly status: "sent" | "delivered" | "read" | "failed"
  readonly errorCode?: string | undefined
  readonly response?: string | undefined
  readonly conversationCategory?: string | undefined
  /** Why it failed; left out if only the code says it. */
  readonly reason?: FailureReason | undefined
}

/**
 * The reasons of final states of SMPP (SMPP 3.4 appendix B) and of error codes of the Twilio Messages API. UNDELIV and
 * UNKNOWN name no reason.
 */
const reasons: ReadonlyMap<string, FailureReason> = new Map([
  ["EXPIRED", "expired"],
  ["REJECTD", "policy"],
  ["DELETED", "system"],
  ["30003", "network"],
  ["30004", "policy"],
  ["30005", "user_unknown"],
  ["30006", "user_unknown"],
  ["30007", "spam"]
])

/** The reason of a failure that a receipt reports. Codes of a network are not standardized: only the state counts. */
const reasonOfReceipt = ({ errorCode = "", reason }: DeliveryReceipt): FailureReason =>
  reason ?? reasons.get(errorCode.split(" ", 1)[0] ?? "") ?? "unknown"

/** The statuses that a delivery can have before it gets the status of a receipt. A receipt never moves backwards. */
const statusesBefore: Readonly<Record<DeliveryReceipt["status"], ReadonlyArray<Delivery["status"]>>> = {
  sent: [],
  delivered: ["sent"],
  read: ["sent", "delivered"],
  failed: ["sent"]
}

const detailsOf = ({ errorCode, recipient, response }: DeliveryReceipt) => ({
  recipient,
  ...(errorCode === undefined ? {} : { errorCode }),
  ...(response === undefined ? {} : { response })
})

const withDelivery = (state: MessageState, receipt: DeliveryReceipt, now: DateTime.Utc): MessageState => ({
  ...state,
  deliveries: state.deliveries.map((delivery) =>
    delivery.recipient === receipt.recipient
      ? {
          ...delivery,
          status: receipt.status,
          ...detailsOf(receipt),
          ...(receipt.conversationCategory === undefined ? {} : { conversationCategory: receipt.conversationCategory }),
          ...(receipt.status === "failed" ? { reason: reasonOfReceipt(receipt) } : {}),
          at: DateTime.formatIso(now)
        }
      : delivery
  ),
  updatedAt: now
})

const moveIfAllowed = (state: MessageState, to: MessageStatus, now: DateTime.Utc, receipt: DeliveryReceipt) =>
  canMove(state.status, to)
    ? move(state, to, now, { reason: "delivery_confirmed", metadata: detailsOf(receipt) })
    : state

/** The message fails when no delivery is accepted or open any more. */
const applyFailure = (state: MessageState, receipt: DeliveryReceipt, now: DateTime.Utc): MessageState => {
  const { errorCode, recipient } = receipt
  const error: ErrorDetails = {
    code: "delivery_failed",
    message: `The provider could not deliver the message${errorCode === undefined ? "" : `: ${errorCode}`}`,
    details: { recipient, ...(errorCode === undefined ? {} : { errorCode }), reason: reasonOfReceipt(receipt) }
  }
  const after: MessageState = {
    ...withDelivery(state, receipt, now),
    lastError: error.message ?? null,
    errorDetails: { ...error, retryable: false }
  }
  const isLeft = after.deliveries.some((delivery) => isAccepted(delivery) || isOpen(delivery))
  return !isLeft && canMove(state.status, "failed")
    ? move(after, "failed", now, { reason: "delivery_failed", metadata: detailsOf(receipt) })
    : after
}

/**
 * Applies a receipt of a provider to a message. None if the delivery is still open: the receipt came before the outcome
 * of the send was stored. A late or repeated receipt, and one for an unknown recipient, returns the same state.
 */
export const applyReceipt = (
  state: MessageState,
  receipt: DeliveryReceipt,
  now: DateTime.Utc
): Option.Option<MessageState> => {
  const delivery = state.deliveries.find(({ recipient }) => recipient === receipt.recipient)
  if (delivery === undefined || receipt.status === "sent") return Option.some(state)
  if (isOpen(delivery)) return Option.none()
  if (!statusesBefore[receipt.status].includes(delivery.status)) return Option.some(state)
  if (receipt.status === "failed") return Option.some(applyFailure(state, receipt, now))
  return Option.some(moveIfAllowed(withDelivery(state, receipt, now), receipt.status, now, receipt))
}
