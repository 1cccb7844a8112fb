import { DateTime, Duration } from "effect"
import type { Delivery } from "../../messages/Delivery.js"
import { move } from "../../messages/MessageMoves.js"
import type { MessageState } from "../../messages/MessageState.js"
import { canMove } from "../../messages/MessageStatus.js"

/** Nobody opens a mail so soon after it was handed over: gateways that call themselves browsers do. */
export const examinedWithin = Duration.seconds(2)

const isReadable = ({ status }: Delivery): boolean => status === "sent" || status === "delivered"

const isTooSoon = ({ at }: Delivery, openedAt: DateTime.Utc): boolean =>
  DateTime.lessThan(openedAt, DateTime.addDuration(DateTime.unsafeMake(at), examinedWithin))

/**
 * A recipient opened the mail: the one with this place among the message's deliveries. The message is `read` with the
 * first. Whoever comes early, late or again changes nothing.
 */
export const opened = (state: MessageState, place: number, at: DateTime.Utc): MessageState => {
  const reader = state.deliveries[place]
  if (reader === undefined || !isReadable(reader) || isTooSoon(reader, at)) return state
  const deliveries = state.deliveries.map(
    (delivery): Delivery =>
      delivery === reader ? { ...delivery, status: "read", at: DateTime.formatIso(at) } : delivery
  )
  return canMove(state.status, "read")
    ? move({ ...state, deliveries }, "read", at)
    : { ...state, deliveries, updatedAt: at }
}
