import type { SqlClient } from "@effect/sql"
import type { Block } from "@switchboard/domain/email/blocks/Block"
import { blockKeys } from "@switchboard/domain/email/blocks/BlockKeys"
import { scopesOf } from "@switchboard/domain/email/blocks/BlockScope"
import { isOpen } from "@switchboard/domain/messages/Delivery"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/MessageState"
import { blockOf, suppressBlocked } from "@switchboard/domain/messages/SuppressBlocked"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type DateTime, Effect } from "effect"
import { countHits } from "../email/blocks/CountHits.js"
import { findBlocks } from "../email/blocks/FindBlocks.js"

/** A message that was taken, of an organization that has blocks. */
interface Waiting {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  readonly categories: ReadonlyArray<string>
  readonly state: MessageState
}

/**
 * Reads the block list for all recipients that these messages wait for, counts and logs the hits, and returns the
 * states of the messages. To be run in a transaction.
 */
export const suppressRecipients = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  waiting: ReadonlyArray<Waiting>,
  now: DateTime.Utc
) {
  const sought = waiting.flatMap(({ categories, messageId, organizationId, state }) => {
    const scopes = scopesOf(categories)
    return state.deliveries
      .filter(isOpen)
      .map(({ recipient }) => ({ organizationId, messageId, scopes, ...blockKeys(recipient) }))
  })
  const found = yield* findBlocks(sql, sought)
  const blocks = new Map(waiting.map(({ messageId }) => [messageId, new Map<string, Block>()]))
  for (const [place, { address, messageId }] of sought.entries()) {
    const [block] = found[place] ?? []
    if (block !== undefined) blocks.get(messageId)?.set(address, block)
  }
  const states = new Map<MessageId, MessageState>()
  const hits = waiting.flatMap(({ messageId, organizationId, state }) => {
    const own = blocks.get(messageId) ?? new Map<string, Block>()
    states.set(messageId, suppressBlocked(state, own, now))
    return state.deliveries.flatMap((delivery) => {
      const block = blockOf(delivery, own)
      return block === undefined
        ? []
        : [{ organizationId, blockId: block.id, category: block.category, email: delivery.recipient, messageId }]
    })
  })
  yield* countHits(sql, hits)
  return states
})
