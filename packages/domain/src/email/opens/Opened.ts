import { DateTime } from "effect"
import type { Delivery } from "../../messages/delivery/Delivery.js"
import { move } from "../../messages/state/MessageMoves.js"
import type { MessageState } from "../../messages/state/MessageState.js"
import { canMove } from "../../messages/state/MessageStatus.js"

const isReadable = ({ status }: Delivery): boolean => status === "sent" || status === "delivered"

/**
 * Marks a delivery as read, by its index among the message's deliveries. The first one moves the message to `read`. A
 * delivery that is not `sent` or `delivered` does not change.
 */
export const opened = (state: MessageState, index: number, at: DateTime.Utc): MessageState => {
  const reader = state.deliveries[index]
  if (reader === undefined || !isReadable(reader)) return state
  const deliveries = state.deliveries.map(
    (delivery): Delivery =>
      delivery === reader ? { ...delivery, status: "read", at: DateTime.formatIso(at) } : delivery
  )
  return canMove(state.status, "read")
    ? move({ ...state, deliveries }, "read", at)
    : { ...state, deliveries, updatedAt: at }
}
