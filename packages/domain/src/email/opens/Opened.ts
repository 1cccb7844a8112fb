import { DateTime } from "effect"
import type { Delivery } from "../../messages/delivery/Delivery.js"
import { move } from "../../messages/state/MessageMoves.js"
import type { MessageState } from "../../messages/state/MessageState.js"
import { canMove } from "../../messages/state/MessageStatus.js"

const isReadable = ({ status }: Delivery): boolean => status === "sent" || status === "delivered"

/**
 * A recipient opened the mail: the one with this place among the message's deliveries. The message is `read` with the
 * first. Whoever comes late or again changes nothing.
 */
export const opened = (state: MessageState, place: number, at: DateTime.Utc): MessageState => {
  const reader = state.deliveries[place]
  if (reader === undefined || !isReadable(reader)) return state
  const deliveries = state.deliveries.map(
    (delivery): Delivery =>
      delivery === reader ? { ...delivery, status: "read", at: DateTime.formatIso(at) } : delivery
  )
  return canMove(state.status, "read")
    ? move({ ...state, deliveries }, "read", at)
    : { ...state, deliveries, updatedAt: at }
}
