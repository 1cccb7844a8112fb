import { Block, type BlockReason } from "./Block.js"
import { isInForce } from "./Suppression.js"

/** What a person said of our mail weighs more than what a server said of an address, and both more than an entry by hand. */
const weight: { readonly [Reason in BlockReason]: number } = { manual: 0, hard_bounce: 1, unsubscribe: 2, complaint: 3 }

/**
 * What a bounce, a complaint or an unsubscription makes of an entry that is there already. It stays the entry that it
 * is, but for good: an expiry is taken away. The weightier reason stands, with where it came from; that of an entry which
 * was over gives way to any. The same a second time changes nothing.
 */
export const strengthenBlock = (present: Block, given: Block): Block => {
  const takesReason = weight[given.reason] > weight[present.reason] || !isInForce(present, given.createdAt)
  if (!takesReason && present.expiresAt === undefined) return present
  const { reason, source, sourceMessageId } = takesReason ? given : present
  return new Block(
    { ...present, reason, source, sourceMessageId, expiresAt: undefined, updatedAt: given.createdAt },
    { disableValidation: true }
  )
}
