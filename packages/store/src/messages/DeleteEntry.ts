import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"

/** A condition on the tables of the message queue: the entry is that of message $2 of organization $1. */
export const isEntryOfMessage =
  "organization_id = $1 AND id = (SELECT queue_message_id FROM messages WHERE organization_id = $1 AND id = $2)"

const deleteStatement = /* sql */ `
WITH waiting AS (DELETE FROM message_waiting WHERE ${isEntryOfMessage})
DELETE FROM message_queue WHERE ${isEntryOfMessage}`

/** Deletes the entry of a message, which is in one of the two tables of its queue. */
export const deleteEntry = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: MessageId
): Effect.Effect<void, SqlError> => Effect.asVoid(sql.unsafe(deleteStatement, [organization, id]))
