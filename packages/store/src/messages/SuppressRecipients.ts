import type { SqlClient } from "@effect/sql"
import type { Block } from "@switchboard/domain/email/blocks/Block"
import { blockKeys } from "@switchboard/domain/email/blocks/BlockKeys"
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
  readonly state: MessageState
}

/**
 * Looks for the blocks of all that still wait for these messages, counts and logs whom they hit, and says what becomes
 * of the messages. To be run in a transaction.
 */
export const suppressRecipients = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  waiting: ReadonlyArray<Waiting>,
  now: DateTime.Utc
) {
  const states = new Map<MessageId, MessageState>()
  if (waiting.length === 0) return states
  const found = yield* findBlocks(
    sql,
    waiting.flatMap(({ organizationId, state }) =>
      state.deliveries.filter(isOpen).map(({ recipient }) => ({ organizationId, ...blockKeys(recipient) }))
    )
  )
  const blocks = new Map<OrganizationId, Map<string, Block>>()
  for (const { address, block } of found) {
    blocks.set(block.organizationId, (blocks.get(block.organizationId) ?? new Map()).set(address, block))
  }
  const hits = waiting.flatMap(({ messageId, organizationId, state }) => {
    const own = blocks.get(organizationId)
    if (own === undefined) return []
    states.set(messageId, suppressBlocked(state, own, now))
    return state.deliveries.flatMap((delivery) => {
      const block = blockOf(delivery, own)
      return block === undefined ? [] : [{ organizationId, blockId: block.id, email: delivery.recipient, messageId }]
    })
  })
  yield* countHits(sql, hits)
  return states
})
