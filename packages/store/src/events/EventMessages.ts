import type { SqlClient } from "@effect/sql"
import type { EventType } from "@switchboard/domain/events/EventType"
import type { Message } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { needsMessage } from "@switchboard/services/events/StoredEvent"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect } from "effect"
import { fieldsFromRow, type MessageRow, messageColumns } from "../messages/MessageJson.js"

/** An event and the id of its subject. */
export interface EventSubject {
  readonly organizationId: OrganizationId
  readonly type: EventType
  readonly subjectId: string
}

/** A LATERAL join: one primary key lookup per message with any query plan. */
const readMessagesStatement = /* sql */ `
SELECT ${messageColumns}
FROM (SELECT DISTINCT * FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid)) AS t
  CROSS JOIN LATERAL (
    SELECT * FROM messages AS m WHERE m.organization_id = t.organization_id AND m.id = t.id OFFSET 0
  ) AS m
  CROSS JOIN LATERAL (
    SELECT * FROM message_states AS s WHERE s.organization_id = t.organization_id AND s.message_id = t.id OFFSET 0
  ) AS s`

/** The messages that events are about, by id. No statement runs if no event needs its message. */
export const readEventMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  events: ReadonlyArray<EventSubject>
) {
  const keys = events.flatMap(({ organizationId, subjectId, type }) =>
    needsMessage(type) ? [{ organization_id: organizationId, id: subjectId }] : []
  )
  const rows = keys.length === 0 ? [] : yield* sql.unsafe<MessageRow>(readMessagesStatement, [JSON.stringify(keys)])
  const messages = yield* readableRows(rows, fieldsFromRow)
  return new Map<string, typeof Message.Encoded>(messages.map((message) => [message.id, message]))
})
