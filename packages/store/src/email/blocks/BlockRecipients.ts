import type { SqlClient } from "@effect/sql"
import { newlyBlocked } from "@switchboard/domain/email/blocks/NewlyBlocked"
import { newAddressBlock } from "@switchboard/services/email/blocks/NewBlock"
import { Effect } from "effect"
import type { StateChange } from "../../messages/StateRows.js"
import { strengthenBlocks } from "./StrengthenBlocks.js"

/**
 * Blocks the addresses that turned out not to exist, and those of people who complained, in the transaction that stores
 * so: whoever is taken off the list later stays off it, however often the same news comes.
 */
export const blockRecipients = Effect.fnUntraced(function* (
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
