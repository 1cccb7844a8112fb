import type { SqlClient } from "@effect/sql"
import { blockKeys, newlyBlocked, suppressBlocked } from "@switchboard/domain/email/blocks/Suppression"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { newAddressBlock } from "@switchboard/services/email/blocks/NewBlock"
import { Array, type DateTime, Effect } from "effect"
import { lockStates, type StateChange } from "../../messages/StateRows.js"
import { countSuppressions } from "./CountSuppressions.js"
import { findSuppressions } from "./FindSuppressions.js"
import { strengthenBlocks } from "./StrengthenBlocks.js"

/** A message before an attempt, of an organization that has blocks. */
interface Waiting {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  readonly categories: ReadonlyArray<string>
  readonly state: MessageState
}

/**
 * Suppresses recipients that are blocked at the time of the attempt, counts and logs the hits, and returns the changes by
 * message, whose states are locked. Requires a transaction.
 */
export const suppressRecipients = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  waiting: ReadonlyArray<Waiting>,
  now: DateTime.Utc
) {
  const mails = waiting.flatMap(({ categories, messageId, organizationId, state }) =>
    state.deliveries
      .filter(isOpen)
      .map(({ recipient }) => ({ organizationId, messageId, categories, recipient, keys: blockKeys(recipient) }))
  )
  const found = yield* findSuppressions(sql, mails)
  const suppressed = mails.flatMap((mail, place) => {
    const [block] = found[place] ?? []
    return block === undefined ? [] : [{ ...mail, block }]
  })
  if (suppressed.length === 0) return new Map<MessageId, StateChange>()
  const byMessage = Array.groupBy(suppressed, ({ messageId }) => messageId)
  const states = yield* lockStates(
    sql,
    Object.values(byMessage).map(([mail]) => mail)
  )
  yield* countSuppressions(
    sql,
    suppressed.map(({ block, messageId, organizationId, recipient }) => ({
      organizationId,
      blockId: block.id,
      category: block.category,
      email: recipient,
      messageId
    }))
  )
  return new Map(
    Object.values(byMessage).flatMap((mails): ReadonlyArray<readonly [MessageId, StateChange]> => {
      const [{ messageId, organizationId }] = mails
      const before = states.get(messageId)
      if (before === undefined) return []
      const blocks = new Map(mails.map(({ block, keys }) => [keys.address, block]))
      return [[messageId, { organizationId, messageId, before, after: suppressBlocked(before, blocks, now) }]]
    })
  )
})

/**
 * Blocks recipients with a hard bounce or a complaint. Runs in the transaction that stores the report: if the same
 * report is repeated later, a removed block stays removed.
 */
export const addSuppressions = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  changes: ReadonlyArray<StateChange>
) {
  const blocks = yield* Effect.forEach(
    changes.flatMap(({ after, before, messageId, organizationId }) =>
      newlyBlocked(before, after).map((blocked) => ({ ...blocked, messageId, organizationId }))
    ),
    ({ address, messageId, organizationId, reason, source }) =>
      newAddressBlock(organizationId, address, { category: undefined, reason, source, sourceMessageId: messageId })
  )
  yield* strengthenBlocks(sql, blocks)
})
