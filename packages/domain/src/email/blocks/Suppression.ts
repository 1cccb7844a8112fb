import { Array, DateTime, Order } from "effect"
import { marketing, transactional } from "../../messages/Categories.js"
import { type Delivery, isAccepted, isOpen } from "../../messages/delivery/Delivery.js"
import { isAboutAddress } from "../../messages/delivery/FailureReason.js"
import { fail, move } from "../../messages/state/MessageMoves.js"
import type { MessageState } from "../../messages/state/MessageState.js"
import { canMove } from "../../messages/state/MessageStatus.js"
import { Block, type BlockReason } from "./Block.js"

/** The scope of a block on all mail. Every other scope is a category, which is never empty. */
export const allMail = ""

/** The scope of a block. */
export const scopeOf = ({ category = allMail }: { readonly category?: string | undefined }): string => category

/** The scopes of the blocks that apply to a message with these categories. */
export const scopesOf = (categories: ReadonlyArray<string>): ReadonlyArray<string> => [allMail, ...categories]

/** The values of the blocks that apply to a recipient. A block on a parent domain does not apply. */
export interface BlockKeys {
  readonly address: string
  readonly domain: string
}

/** The keys of an address, in lower case: recipients of a send differ by more than case. */
export const blockKeys = (address: string): BlockKeys => {
  const key = address.toLowerCase()
  return { address: key, domain: key.slice(key.lastIndexOf("@") + 1) }
}

/** Whether a block has not expired. */
const isInForce = ({ expiresAt }: Pick<Block, "expiresAt">, now: DateTime.Utc): boolean =>
  expiresAt === undefined || DateTime.greaterThan(expiresAt, now)

const byPrecedence: Order.Order<Block> = Order.combine(
  Order.mapInput(Order.boolean, ({ type }) => type === "domain"),
  Order.mapInput(Order.string, scopeOf)
)

/**
 * The blocks that suppress mail with these categories to a recipient; without categories, mail of any kind. The first
 * one decides: a block on the address comes before one on its domain, a block on all mail before one on a category.
 */
export const suppressions = (
  blocks: Iterable<Block>,
  { address, domain }: BlockKeys,
  categories: ReadonlyArray<string> | undefined,
  now: DateTime.Utc
): ReadonlyArray<Block> => {
  const scopes = categories === undefined ? undefined : scopesOf(categories)
  return Array.sort(
    Array.filter(
      blocks,
      (block) =>
        block.value === (block.type === "email" ? address : domain) &&
        isInForce(block, now) &&
        (scopes === undefined || scopes.includes(scopeOf(block)))
    ),
    byPrecedence
  )
}

/** The deciding block of each suppressed recipient of a message, by the address's key. */
export type BlockedBy = ReadonlyMap<string, Pick<Block, "id" | "category" | "reason">>

/** Without an open delivery, a message keeps its status if a recipient accepted it, and bounces if one was refused. */
const ended = (state: MessageState, details: Readonly<Record<string, string>>, now: DateTime.Utc): MessageState => {
  const error = { code: "recipient_blocked", message: "Every recipient that was left is blocked", details }
  const refused = !state.deliveries.some(isAccepted) && state.deliveries.some(({ status }) => status === "bounced")
  // Only a message in `processing` can bounce.
  const held = refused && canMove(state.status, "processing") ? move(state, "processing", now) : state
  return refused && canMove(held.status, "bounced")
    ? move({ ...held, lastError: error.message, errorDetails: { ...error, retryable: false } }, "bounced", now, {
        reason: error.code
      })
    : fail(state, error, now)
}

/**
 * Suppresses the open deliveries to blocked recipients, for which `detailsOf` returns what blocks them. A message without
 * another open delivery ends without an attempt.
 */
export const suppressDeliveries = (
  state: MessageState,
  detailsOf: (recipient: string) => Readonly<Record<string, string>> | undefined,
  now: DateTime.Utc
): MessageState => {
  const found = state.deliveries.map((delivery) => (isOpen(delivery) ? detailsOf(delivery.recipient) : undefined))
  const details = found.find((one) => one !== undefined)
  if (details === undefined) return state
  const deliveries = state.deliveries.map(
    (delivery, place): Delivery =>
      found[place] === undefined
        ? delivery
        : { recipient: delivery.recipient, status: "suppressed", at: DateTime.formatIso(now) }
  )
  const suppressed: MessageState = { ...state, deliveries, updatedAt: now }
  return deliveries.some(isOpen) ? suppressed : ended(suppressed, details, now)
}

/** Suppresses the open deliveries of an e-mail to blocked recipients. */
export const suppressBlocked = (state: MessageState, blocks: BlockedBy, now: DateTime.Utc): MessageState =>
  suppressDeliveries(
    state,
    (recipient) => {
      const block = blocks.get(blockKeys(recipient).address)
      return block === undefined ? undefined : { blockId: block.id, reason: block.reason }
    },
    now
  )

/** A response of class 4 (RFC 3463): the servers gave up after retries. */
const transient = /^4(?:\d\d\b|\.\d)/

/** Whether a delivery was refused for good because no mail can reach its address. */
export const isHardBounce = ({ reason, response = "", status }: Delivery): boolean =>
  status === "bounced" && reason !== undefined && isAboutAddress(reason) && !transient.test(response)

const isComplaint = ({ status }: Delivery): boolean => status === "complained"

/** The recipients for which an outcome is new between two states of a message. */
const newly =
  (isOutcome: (delivery: Delivery) => boolean) =>
  (before: MessageState, after: MessageState): ReadonlyArray<string> => {
    const known = new Set(before.deliveries.filter(isOutcome).map(({ recipient }) => recipient))
    return after.deliveries.filter(isOutcome).flatMap(({ recipient }) => (known.has(recipient) ? [] : [recipient]))
  }

export const hardBounces = newly(isHardBounce)
const complaints = newly(isComplaint)

/** An address that an outcome of a message blocks. */
interface NewlyBlocked extends Pick<Block, "reason" | "source"> {
  readonly address: string
}

/** The recipients of a message to block after it moved from one state to another. */
export const newlyBlocked = (before: MessageState, after: MessageState): ReadonlyArray<NewlyBlocked> => [
  ...hardBounces(before, after).map((address) => ({ address, reason: "hard_bounce", source: "system" }) as const),
  ...complaints(before, after).map((address) => ({ address, reason: "complaint", source: "recipient" }) as const)
]

/**
 * The categories that a recipient of a message unsubscribes from: all of the message's except `transactional`, because
 * the recipient can't tell them apart and needs transactional mail to use an account. `marketing` if there is no other.
 */
export const unsubscribedCategories = (categories: ReadonlyArray<string>): ReadonlyArray<string> => {
  const others = new Set(categories.filter((category) => category !== transactional))
  return others.size === 0 ? [marketing] : [...others]
}

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
