import type { SqlClient } from "@effect/sql"
import { due } from "@switchboard/domain/messages/MessageLifecycle"
import { DateTime, Effect } from "effect"
import { lockStates, writeStates } from "./StateRows.js"
import type { MessageLease } from "./TakeMessages.js"

/** Scheduled messages that became ready are pending. To be run in a transaction. */
export const endSchedules = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  entries: ReadonlyArray<MessageLease>
) {
  const messages = entries.map(({ message_id, organization_id }) => ({
    organizationId: organization_id,
    messageId: message_id
  }))
  const states = yield* lockStates(sql, messages)
  const now = yield* DateTime.now
  yield* writeStates(
    sql,
    messages.flatMap((message) => {
      const before = states.get(message.messageId)
      return before?.status === "scheduled" ? [{ ...message, before, after: due(before, now) }] : []
    })
  )
})
