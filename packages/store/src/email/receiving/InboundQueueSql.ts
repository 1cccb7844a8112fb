import { SqlClient } from "@effect/sql"
import { InboundQueue, type SettledMail, type TakeMails } from "@switchboard/services/email/receiving/InboundQueue"
import { Effect, Layer } from "effect"
import { NotificationsLive } from "../../queues/Notifications.js"
import { queueTables } from "../../queues/QueueTables.js"
import { workQueue } from "../../queues/WorkQueue.js"
import { settleMails } from "./SettleMails.js"
import { type MailLease, takeMails } from "./TakeMails.js"

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
