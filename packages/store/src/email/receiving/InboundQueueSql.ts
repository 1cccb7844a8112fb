import { SqlClient } from "@effect/sql"
import { InboundQueue, type SettledMail, type TakeMails } from "@switchboard/services/email/receiving/InboundQueue"
import { Effect, Layer } from "effect"
import { NotificationsLive } from "../../queues/Notifications.js"
import { queueTables } from "../../queues/QueueTables.js"
import { type Hold, workQueue } from "../../queues/WorkQueue.js"
import { type MailLease, takeMails } from "./TakeMails.js"

const doneStatement = /* sql */ `
UPDATE inbound_mails AS m SET processed_at = now(), parse_error = g.parse_error
FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, parse_error text)
WHERE m.organization_id = g.organization_id AND m.id = g.id`

/** Stores which mails are done of those that the worker still holds. To be run in a transaction. */
const settleMails = Effect.fnUntraced(function* (
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

/** The queue of received mails. Its entries have their ids. */
export const InboundQueueSql = Layer.effect(
  InboundQueue,
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    workQueue(queueTables.inbound, {
      read: (leases: ReadonlyArray<MailLease>, request: TakeMails) => takeMails(sql, leases, request),
      settle: (settled: ReadonlyArray<SettledMail>, hold) => settleMails(sql, settled, hold)
    })
  )
).pipe(Layer.provide(NotificationsLive))
