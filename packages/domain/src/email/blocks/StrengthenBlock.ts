import { Block, type BlockReason } from "./Block.js"
import { isInForce } from "./Suppression.js"

/** The precedence of reasons: a recipient's action outranks a server's reply, which outranks a manual entry. */
const weight: { readonly [Reason in BlockReason]: number } = { manual: 0, hard_bounce: 1, unsubscribe: 2, complaint: 3 }

/**
 * Merges a bounce, a complaint or an unsubscription into an existing block. The block keeps its id and loses its
 * expiry. It takes the reason and source of the new event if that reason outranks its own, or if the block had expired.
 * A repeated event changes nothing.
 */
export const strengthenBlock = (present: Block, added: Block): Block => {
  const takesReason = weight[added.reason] > weight[present.reason] || !isInForce(present, added.createdAt)
  if (!takesReason && present.expiresAt === undefined) return present
  const { reason, source, sourceMessageId } = takesReason ? added : present
  return new Block(
    { ...present, reason, source, sourceMessageId, expiresAt: undefined, updatedAt: added.createdAt },
    { disableValidation: true }
  )
}
