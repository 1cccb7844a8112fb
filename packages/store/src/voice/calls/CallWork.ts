import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import { Effect } from "effect"
import { notify, queueTables } from "../../queues/QueueTables.js"

/** The key of a call. */
export interface CallKey {
  readonly organizationId: OrganizationId
  readonly id: VoiceCallId
}

const notifyWorkers = (sql: SqlClient.SqlClient) => sql`SELECT ${sql.literal(notify(queueTables.voice_call))}`

/** Queues a new call. */
export const queueCall = (sql: SqlClient.SqlClient, { id, organizationId }: CallKey) =>
  Effect.zipRight(
    sql`INSERT INTO voice_call_queue (organization_id, id, ready_at) VALUES (${organizationId}, ${id}, now())`,
    notifyWorkers(sql)
  )

/** Moves a waiting call to the queue. A worker that holds the call detects the change when it settles the call. */
export const wakeCall = (sql: SqlClient.SqlClient, { id, organizationId }: CallKey) =>
  Effect.zipRight(
    sql`WITH woken AS (
        DELETE FROM voice_call_waiting WHERE organization_id = ${organizationId} AND id = ${id}
        RETURNING organization_id, id
      )
      INSERT INTO voice_call_queue (organization_id, id, ready_at)
      SELECT organization_id, id, now() FROM woken`,
    notifyWorkers(sql)
  )

/** Deletes the queue entries and the progress of a call. */
export const dropCallWork = (sql: SqlClient.SqlClient, { id, organizationId }: CallKey) =>
  Effect.all(
    [
      sql`DELETE FROM voice_call_queue WHERE organization_id = ${organizationId} AND id = ${id}`,
      sql`DELETE FROM voice_call_waiting WHERE organization_id = ${organizationId} AND id = ${id}`,
      sql`DELETE FROM voice_call_runs WHERE organization_id = ${organizationId} AND call_id = ${id}`
    ],
    { discard: true }
  )
