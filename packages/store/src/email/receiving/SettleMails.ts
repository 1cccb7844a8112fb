import type { SqlClient } from "@effect/sql"
import type { InboundMail } from "@switchboard/services/email/receiving/InboundMail"
import type { ProcessedMail } from "@switchboard/services/email/receiving/ProcessMail"
import { DateTime } from "effect"
import { inboundChannel } from "./TakeMails.js"

/**
 * Only what this worker still holds: an entry whose lease ran out is another's by now. What is done leaves and its mail
 * says so, what waits for a later time waits apart, and what was handed back is ready again. How often a worker was
 * lost is told of it for as long as it is there.
 */
const settleStatement = /* sql */ `
WITH held AS MATERIALIZED (
  SELECT e.place_in_table, e.takeovers, d.*
  FROM (SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, done boolean, parse_error text,
      due_at timestamptz) ORDER BY organization_id, id) AS d
    CROSS JOIN LATERAL (
      SELECT q.ctid AS place_in_table, q.takeovers FROM inbound_queue AS q
      WHERE q.organization_id = d.organization_id AND q.id = d.id AND q.worker = $2 FOR UPDATE
    ) AS e
), gone AS (
  DELETE FROM inbound_queue
  WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM held WHERE done OR due_at > now()))
), mails AS (
  UPDATE inbound_mails AS m SET processed_at = now(), parse_error = h.parse_error
  FROM held AS h WHERE h.done AND m.organization_id = h.organization_id AND m.id = h.id
), waiting AS (
  INSERT INTO inbound_waiting (organization_id, id, due_at, takeovers)
  SELECT organization_id, id, due_at, takeovers FROM held WHERE NOT done AND due_at > now()
), again AS (
  UPDATE inbound_queue SET worker = NULL, lease_until = NULL
  WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM held WHERE NOT done AND due_at <= now())) RETURNING 1
)
SELECT pg_notify('${inboundChannel}', '') WHERE EXISTS (SELECT 1 FROM again)`

/** Stores what became of mails that this worker still holds. */
export const settleMails = (
  sql: SqlClient.SqlClient,
  worker: string,
  done: ReadonlyArray<{ readonly mail: InboundMail; readonly processed: ProcessedMail }>
) =>
  sql.unsafe(settleStatement, [
    JSON.stringify(
      done.map(({ mail, processed }) => ({
        organization_id: mail.organizationId,
        id: mail.id,
        done: processed._tag === "Done",
        parse_error: processed._tag === "Done" ? processed.parseError : null,
        due_at: processed._tag === "Later" ? DateTime.formatIso(processed.at) : null
      }))
    ),
    worker
  ])
