import type { DateTime } from "effect"
import { type Delivery, isAccepted, isOpen } from "./delivery/Delivery.js"
import { fail } from "./state/MessageMoves.js"
import type { MessageState } from "./state/MessageState.js"

/**
 * Removes a recipient that is erased. The message continues for the other recipients, and fails if none of them is
 * left.
 */
export const eraseRecipient = (
  state: MessageState,
  isForgotten: (recipient: string) => boolean,
  now: DateTime.Utc
): MessageState => {
  const forgotten = ({ recipient }: Delivery) => isForgotten(recipient)
  if (!state.deliveries.some(forgotten)) return state
  const deliveries = state.deliveries.filter((delivery) => !forgotten(delivery))
  const without: MessageState = { ...state, deliveries, updatedAt: now }
  const wasOpen = state.deliveries.some((delivery) => forgotten(delivery) && isOpen(delivery))
  return !wasOpen || deliveries.some(isOpen) || deliveries.some(isAccepted)
    ? without
    : fail(without, { code: "recipient_erased", message: "Every recipient that was left was erased" }, now)
}
