import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import { channelQueues, sendingChannels } from "../queues/QueueTables.js"

/** A condition on the tables of a queue of messages: the entry is that of message $2 of organization $1. */
const isEntryOfMessage =
  "organization_id = $1 AND id = (SELECT queue_message_id FROM messages WHERE organization_id = $1 AND id = $2)"

/** CTEs that delete the entry of message $2 of organization $1, which is in one of the tables of its channel's queue. */
export const deleteEntryParts = sendingChannels
  .flatMap((channel) => {
    const { name } = channelQueues[channel]
    return [
      `queued_${channel} AS (DELETE FROM ${name}_queue WHERE ${isEntryOfMessage})`,
      `waiting_${channel} AS (DELETE FROM ${name}_waiting WHERE ${isEntryOfMessage})`
    ]
  })
  .join(", ")

const deleteStatement = `WITH ${deleteEntryParts} SELECT`

/** Deletes the entry of a message. */
export const deleteEntry = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: MessageId
): Effect.Effect<void, SqlError> => Effect.asVoid(sql.unsafe(deleteStatement, [organization, id]))

const moveStatement = `WITH ${sendingChannels
  .map((channel) => {
    const table = `${channelQueues[channel].name}_waiting`
    return `moved_${channel} AS (UPDATE ${table} SET due_at = $3, due_since = $3 WHERE ${isEntryOfMessage} RETURNING id)`
  })
  .join(", ")}
UPDATE messages SET scheduled_at = $3 WHERE organization_id = $1 AND id = $2
  AND queue_message_id IN (${sendingChannels.map((channel) => `SELECT id FROM moved_${channel}`).join(" UNION ALL ")})`

/** Moves a message whose entry still waits to another time. */
export const moveEntry = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: MessageId,
  at: DateTime.Utc
): Effect.Effect<void, SqlError> => Effect.asVoid(sql.unsafe(moveStatement, [organization, id, DateTime.formatIso(at)]))
