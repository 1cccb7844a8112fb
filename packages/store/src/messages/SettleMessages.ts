import type { SqlClient } from "@effect/sql"
import type { SettledMessage } from "@switchboard/services/messages/DeliveryQueue"
import { Effect } from "effect"
import { blockRecipients } from "../email/blocks/BlockRecipients.js"
import type { Hold } from "../queues/WorkQueue.js"
import { lockStates, writeStates } from "./StateRows.js"

/** Stores how messages go on that the worker still holds. To be run in a transaction. */
export const settleMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  done: ReadonlyArray<SettledMessage>,
  hold: Hold
) {
  const held = yield* hold(done.map(({ message: { organizationId, queueId } }) => ({ organizationId, id: queueId })))
  const own = done.filter(({ message }) => held.has(message.queueId))
  const states = yield* lockStates(
    sql,
    own.map(({ message }) => message)
  )
  const settled = own.flatMap(({ decide, message: { messageId, organizationId, queueId: id } }) => {
    const before = states.get(messageId)
    if (before === undefined) return []
    const { retryAt, state: after } = decide(before)
    return [{ organizationId, messageId, id, before, after, retryAt }]
  })
  yield* writeStates(sql, settled)
  yield* blockRecipients(sql, settled)
  return settled
})
