import type { SqlClient } from "@effect/sql"
import { hardBounces } from "@switchboard/domain/email/blocks/HardBounces"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { newAddressBlock } from "@switchboard/services/email/blocks/NewBlock"
import { Effect } from "effect"
import { strengthenBlocks } from "./StrengthenBlocks.js"

/** What an attempt made of a message. */
interface Attempted {
  readonly message: { readonly organizationId: OrganizationId; readonly messageId: MessageId }
  readonly before: MessageState
  readonly after: MessageState
}

/** Blocks the addresses that turned out not to exist, in the transaction that stores so. */
export const blockHardBounces = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  attempted: ReadonlyArray<Attempted>
) {
  const bounced = attempted.flatMap(({ after, before, message: { messageId, organizationId } }) =>
    hardBounces(before, after).map((address) => ({ address, messageId, organizationId }))
  )
  const blocks = yield* Effect.forEach(bounced, ({ address, messageId, organizationId }) =>
    newAddressBlock(organizationId, address, { reason: "hard_bounce", source: "system", sourceMessageId: messageId })
  )
  yield* strengthenBlocks(sql, blocks)
})
