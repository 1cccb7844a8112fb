import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { due } from "@switchboard/domain/messages/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import { queueChannel } from "./InsertMessages.js"
import { type StateRow, stateColumns, stateFromRow, writeStates } from "./StateRows.js"

/** Entries that one transaction moves. */
export const promoteBatch = 500

const promoteStatement = /* sql */ `
WITH due AS (
  DELETE FROM message_waiting WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM message_waiting WHERE due_at <= now() ORDER BY due_at LIMIT ${promoteBatch} FOR UPDATE SKIP LOCKED
  )) RETURNING organization_id, id, message_id, due_since
)
INSERT INTO message_queue (organization_id, id, message_id, ready_at, due_since)
SELECT organization_id, id, message_id, now(), due_since FROM due
RETURNING organization_id, message_id`

const readScheduled = /* sql */ `
SELECT s.organization_id, s.message_id, ${stateColumns}
FROM json_to_recordset($1::json) AS t(organization_id uuid, message_id uuid)
  JOIN message_states AS s ON s.organization_id = t.organization_id AND s.message_id = t.message_id
WHERE s.status = 'scheduled' ORDER BY s.organization_id, s.message_id FOR UPDATE OF s`

interface Entry {
  readonly organization_id: OrganizationId
  readonly message_id: MessageId
}

/** Makes one batch of what is due ready; how many entries that was. To be run in a transaction. */
export const promoteMessages = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const promoted = yield* sql.unsafe<Entry>(promoteStatement)
  if (promoted.length === 0) return 0
  const scheduled = yield* sql.unsafe<StateRow & Entry>(readScheduled, [JSON.stringify(promoted)])
  const now = yield* DateTime.now
  yield* writeStates(
    sql,
    scheduled.map((row) => {
      const before = stateFromRow(row)
      return { organizationId: row.organization_id, messageId: row.message_id, before, after: due(before, now) }
    })
  )
  yield* sql`SELECT pg_notify(${queueChannel}, '')`
  return promoted.length
})
