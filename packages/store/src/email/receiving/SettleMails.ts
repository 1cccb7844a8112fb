import type { SqlClient } from "@effect/sql"
import type { InboundMail } from "@switchboard/services/email/receiving/InboundMail"
import type { ProcessedMail } from "@switchboard/services/email/receiving/ProcessMail"
import { DateTime, Effect } from "effect"
import { settledLease } from "../../queues/Leases.js"
import { inboundChannel, inboundLeases } from "./TakeMails.js"

/** Done mail leaves the queue and its mail says so, mail for a later time waits apart, or is ready again at once. */
const settleStatement = /* sql */ `
WITH held AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g(place_in_table tid, organization_id uuid, id uuid, done boolean,
    parse_error text, due_at timestamptz)
), gone AS (
  DELETE FROM inbound_queue
  WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM held WHERE done OR due_at > now()))
), mails AS (
  UPDATE inbound_mails AS m SET processed_at = now(), parse_error = h.parse_error
  FROM held AS h WHERE h.done AND m.organization_id = h.organization_id AND m.id = h.id
), waiting AS (
  INSERT INTO inbound_waiting (organization_id, id, due_at)
  SELECT organization_id, id, due_at FROM held WHERE NOT done AND due_at > now()
), again AS (
  UPDATE inbound_queue SET ${settledLease}, lease_until = NULL
  WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM held WHERE NOT done AND due_at <= now())) RETURNING 1
)
SELECT pg_notify('${inboundChannel}', '') WHERE EXISTS (SELECT 1 FROM again)`

/** Stores what became of mails that this worker still holds. To be run in a transaction. */
export const settleMails = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  worker: string,
  done: ReadonlyArray<{ readonly mail: InboundMail; readonly processed: ProcessedMail }>
) {
  const placeOf = yield* inboundLeases.lock(
    sql,
    worker,
    done.map(({ mail }) => mail)
  )
  const held = done.flatMap(({ mail: { id, organizationId }, processed }) => {
    const place = placeOf.get(id)
    return place === undefined
      ? []
      : [
          {
            place_in_table: place,
            organization_id: organizationId,
            id,
            done: processed._tag === "Done",
            parse_error: processed._tag === "Done" ? processed.parseError : null,
            due_at: processed._tag === "Later" ? DateTime.formatIso(processed.at) : null
          }
        ]
  })
  yield* sql.unsafe(settleStatement, [JSON.stringify(held)])
})
