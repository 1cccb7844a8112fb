import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
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
