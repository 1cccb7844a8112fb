import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import { Effect } from "effect"
import { notify, queueTables } from "../../queues/QueueTables.js"

/** Which call. */
export interface CallKey {
  readonly organizationId: OrganizationId
  readonly id: VoiceCallId
}

const notifyWorkers = (sql: SqlClient.SqlClient) => sql`SELECT ${sql.literal(notify(queueTables.voice_call))}`

/** Has a new call made. */
export const queueCall = (sql: SqlClient.SqlClient, { id, organizationId }: CallKey) =>
  Effect.zipRight(
    sql`INSERT INTO voice_call_queue (organization_id, id, ready_at) VALUES (${organizationId}, ${id}, now())`,
    notifyWorkers(sql)
  )

/** Has a call looked at now, if it waits for its time; a worker that holds it finds out when it settles it. */
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

/** Nothing is to be done for a call any more. */
export const dropCallWork = (sql: SqlClient.SqlClient, { id, organizationId }: CallKey) =>
  Effect.all(
    [
      sql`DELETE FROM voice_call_queue WHERE organization_id = ${organizationId} AND id = ${id}`,
      sql`DELETE FROM voice_call_waiting WHERE organization_id = ${organizationId} AND id = ${id}`,
      sql`DELETE FROM voice_call_runs WHERE organization_id = ${organizationId} AND call_id = ${id}`
    ],
    { discard: true }
  )
