import type { Delivery } from "../../messages/Delivery.js"
import type { MessageState } from "../../messages/MessageState.js"

/** RFC 3463: no such mailbox, no such system, no valid address, moved without a trace, a domain that takes no mail. */
const hardBounce = /^(?:5\d\d[ -])?5\.1\.(?:1|2|3|6|10)(?!\d)/

/** Whether the other side said that there is nobody at this address, and never will be. */
export const isHardBounce = ({ response, status }: Delivery): boolean =>
  status === "bounced" && response !== undefined && hardBounce.test(response)

/** The recipients whose address turned out not to exist between these states of a message. */
export const hardBounces = (before: MessageState, after: MessageState): ReadonlyArray<string> => {
  const known = new Set(before.deliveries.filter(isHardBounce).map(({ recipient }) => recipient))
  return after.deliveries.filter(isHardBounce).flatMap(({ recipient }) => (known.has(recipient) ? [] : [recipient]))
}
