import type { SqlClient } from "@effect/sql"
import type { NewEvent } from "@switchboard/services/events/NewEvent"
import type { StoredCall } from "@switchboard/services/voice/calls/StoredCall"
import { Effect } from "effect"
import { insertEvents } from "../../events/InsertEvents.js"
import { notify, queueTables } from "../../queues/QueueTables.js"

/** Uses the agent's webhook settings at the time of the event. */
const queueStatement = /* sql */ `
WITH queued AS (
  INSERT INTO voice_notice_queue (organization_id, agent_id, id, event_id, ready_at)
  SELECT a.organization_id, a.id, new_uuid_v7(clock_timestamp(), row_number() OVER (ORDER BY e.id)), e.id, now()
  FROM json_to_recordset($1::json) AS e(id uuid, type text)
    JOIN voice_agents AS a ON a.organization_id = $2 AND a.id = $3 AND e.type = ANY (a.webhook_events)
  WHERE a.webhook_url IS NOT NULL RETURNING 1
)
SELECT ${notify(queueTables.voice_notice)} WHERE EXISTS (SELECT 1 FROM queued)`

/** Writes events of a call and queues them for the agent's webhook. Requires the transaction that changed the call. */
export const insertCallEvents = (
  sql: SqlClient.SqlClient,
  { organizationId, voiceAgentId }: StoredCall,
  events: ReadonlyArray<NewEvent>
) =>
  events.length === 0
    ? Effect.void
    : Effect.asVoid(
        Effect.zipRight(
          insertEvents(sql, events),
          sql.unsafe(queueStatement, [
            JSON.stringify(events.map(({ id, type }) => ({ id, type }))),
            organizationId,
            voiceAgentId
          ])
        )
      )
