import { DateTime } from "effect"
import type { Block } from "../email/blocks/Block.js"
import { blockKeys } from "../email/blocks/BlockKeys.js"
import { type Delivery, isAccepted, isOpen } from "./Delivery.js"
import { fail, move } from "./MessageMoves.js"
import type { MessageState } from "./MessageState.js"
import { canMove } from "./MessageStatus.js"

/** The blocks that apply to a message's recipients, by the address's key. */
export type BlockedBy = ReadonlyMap<string, Pick<Block, "id" | "category" | "reason">>

/** The block that keeps a delivery from being made, if it is still to be made. */
export const blockOf = (delivery: Delivery, blocks: BlockedBy) =>
  isOpen(delivery) ? blocks.get(blockKeys(delivery.recipient).address) : undefined

/** Nobody is left to be served: a message that somebody has keeps its status, one that the other side refused bounces. */
const ended = (state: MessageState, by: Pick<Block, "id" | "reason">, now: DateTime.Utc): MessageState => {
  const error = {
    code: "recipient_blocked",
    message: "Every recipient that was left is blocked",
    details: { blockId: by.id, reason: by.reason }
  }
  const refused = !state.deliveries.some(isAccepted) && state.deliveries.some(({ status }) => status === "bounced")
  // Only what a worker holds can bounce.
  const held = refused && canMove(state.status, "processing") ? move(state, "processing", now) : state
  return refused && canMove(held.status, "bounced")
    ? move({ ...held, lastError: error.message, errorDetails: { ...error, retryable: false } }, "bounced", now, {
        reason: error.code
      })
    : fail(state, error, now)
}

/**
 * Those who are blocked and have not got the message yet get it no more; whoever has it keeps it. If nobody is left who
 * may get it, the message ends, untried.
 */
export const suppressBlocked = (state: MessageState, blocks: BlockedBy, now: DateTime.Utc): MessageState => {
  const by = state.deliveries.map((delivery) => blockOf(delivery, blocks)).find((block) => block !== undefined)
  if (by === undefined) return state
  const deliveries = state.deliveries.map(
    (delivery): Delivery =>
      blockOf(delivery, blocks) === undefined
        ? delivery
        : { recipient: delivery.recipient, status: "suppressed", at: DateTime.formatIso(now) }
  )
  const suppressed: MessageState = { ...state, deliveries, updatedAt: now }
  return deliveries.some(isOpen) ? suppressed : ended(suppressed, by, now)
}
