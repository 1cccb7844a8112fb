import type { MessageState } from "../../messages/MessageState.js"
import type { Block } from "./Block.js"
import { hardBounces } from "./HardBounces.js"

/** An address that is not sent to from now on, and why. */
export interface NewlyBlocked extends Pick<Block, "reason" | "source"> {
  readonly address: string
}

/** The recipients who complained between these states of a message. */
const complaints = (before: MessageState, after: MessageState): ReadonlyArray<string> => {
  const known = new Set(
    before.deliveries.flatMap(({ recipient, status }) => (status === "complained" ? recipient : []))
  )
  return after.deliveries.flatMap(({ recipient, status }) =>
    status === "complained" && !known.has(recipient) ? recipient : []
  )
}

/**
 * Whom an organization does not send to again after what happened between these states of a message: addresses that
 * don't exist, and people who complained. Only whom the message was sent to: nobody keeps an organization from others.
 */
export const newlyBlocked = (before: MessageState, after: MessageState): ReadonlyArray<NewlyBlocked> => [
  ...hardBounces(before, after).map((address) => ({ address, reason: "hard_bounce", source: "system" }) as const),
  ...complaints(before, after).map((address) => ({ address, reason: "complaint", source: "recipient" }) as const)
]
