import type { SqlClient } from "@effect/sql"
import type { SettledMail } from "@switchboard/services/email/receiving/InboundQueue"
import { Effect } from "effect"
import type { Hold } from "../../queues/WorkQueue.js"

const doneStatement = /* sql */ `
UPDATE inbound_mails AS m SET processed_at = now(), parse_error = g.parse_error
FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, parse_error text)
WHERE m.organization_id = g.organization_id AND m.id = g.id`

/** Stores which mails are done of those that the worker still holds. To be run in a transaction. */
export const settleMails = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  settled: ReadonlyArray<SettledMail>,
  hold: Hold
) {
  const held = yield* hold(settled.map(({ mail }) => mail))
  const own = settled.filter(({ mail }) => held.has(mail.id))
  const done = own.flatMap(({ mail: { id, organizationId }, processed }) =>
    processed._tag === "Done" ? [{ organization_id: organizationId, id, parse_error: processed.parseError }] : []
  )
  if (done.length > 0) yield* sql.unsafe(doneStatement, [JSON.stringify(done)])
  return own.map(({ mail: { id, organizationId }, processed }) => ({
    organizationId,
    id,
    retryAt: processed._tag === "Later" ? processed.at : null
  }))
})
