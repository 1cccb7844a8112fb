import { DateTime, Duration } from "effect"
import { type Delivery, isAccepted } from "../../messages/delivery/Delivery.js"
import { move } from "../../messages/state/MessageMoves.js"
import type { MessageState } from "../../messages/state/MessageState.js"
import { canMove } from "../../messages/state/MessageStatus.js"
import { withClick } from "./Click.js"
import type { RequestClient } from "./TrackedRequest.js"

/** A request for the tracking image of a recipient's mail. */
export interface Open {
  readonly at: DateTime.Utc
  readonly client: RequestClient
}

/** A request for a link of a recipient's mail. */
export interface FollowedLink extends Open {
  readonly url: string
  readonly userAgent: string | undefined
}

/** Requests sooner after a delivery are made by programs that scan incoming mail. */
const minReadingTime = Duration.seconds(2)

const isReadable = ({ status }: Delivery): boolean => status === "sent" || status === "delivered"

/**
 * Whether a program made the request. The time of a delivery is known until the mail is read: a reader proves that it
 * is not new. A mail that was not delivered has no reader.
 */
const isLikelyBot = (delivery: Delivery, { at, client }: Open): boolean => {
  if (client === "mailbox") return false
  if (client === "automatic" || !isAccepted(delivery)) return true
  const isNew = DateTime.toEpochMillis(at) - Date.parse(delivery.at) < Duration.toMillis(minReadingTime)
  return isNew && isReadable(delivery)
}

/**
 * Marks a delivery as read, by its index among the message's deliveries. The first one moves the message to `read`. A
 * delivery that is not `sent` or `delivered` does not change.
 */
const read = (state: MessageState, index: number, at: DateTime.Utc): MessageState => {
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

/** Applies an open of a delivery's mail: a person has read it. */
export const opened = (state: MessageState, index: number, open: Open): MessageState => {
  const delivery = state.deliveries[index]
  return delivery === undefined || isLikelyBot(delivery, open) ? state : read(state, index, open.at)
}

/** Applies a click in a delivery's mail: a person has read it. The click of a bot is recorded and changes nothing else. */
export const clicked = (state: MessageState, index: number, link: FollowedLink): MessageState => {
  const delivery = state.deliveries[index]
  if (delivery === undefined) return state
  const isBot = isLikelyBot(delivery, link)
  const clicks = withClick(state.clicks, {
    url: link.url,
    recipient: delivery.recipient,
    at: DateTime.formatIso(link.at),
    ...(link.userAgent === undefined ? {} : { userAgent: link.userAgent }),
    ...(isBot ? { isLikelyBot: true } : {})
  })
  const recorded = clicks === state.clicks ? state : { ...state, clicks }
  if (isBot) return recorded
  const after = read(recorded, index, link.at)
  return after === state ? state : { ...after, updatedAt: link.at }
}
