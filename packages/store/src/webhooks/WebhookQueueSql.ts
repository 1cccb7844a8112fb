import { SqlClient } from "@effect/sql"
import { deletionAge } from "@switchboard/services/retention/PartitionRepo"
import { type SettledWebhook, WebhookQueue } from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { Duration, Effect, Layer } from "effect"
import { inBatches } from "../database/InBatches.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { deleteOld, deleteOldRows } from "../partitions/DeleteOldRows.js"
import { NotificationsLive } from "../queues/Notifications.js"
import { queueTables } from "../queues/QueueTables.js"
import { workQueueSql } from "../queues/WorkQueueSql.js"
import { settleWebhooks } from "./SettleWebhooks.js"
import { takeWebhooks, type WebhookLease } from "./TakeWebhooks.js"

/** The maximum number of rows that one statement deletes from each table. */
const deleteBatch = 1_000

/** Deletes old deliveries that are not pending. */
const deleteDeliveries = /* sql */ `
DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM webhook_deliveries WHERE created_at < now() - make_interval(secs => $1) AND status <> 'pending'
  LIMIT ${deleteBatch} FOR UPDATE SKIP LOCKED
)) RETURNING 1`

/** Deletes old deliveries and attempts. Returns the number of deleted rows. */
const deleteOldWebhooks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, retention: Duration.Duration) {
  const run = (statement: string, age: Duration.Duration) =>
    Effect.map(sql.unsafe(statement, [Duration.toSeconds(age)]), (rows) => rows.length).pipe(retryConflicts)
  const age = deletionAge(retention)
  const attempts = yield* deleteOldRows(sql, "webhook_attempts", age, deleteBatch, (partition) =>
    run(`${deleteOld(partition, deleteBatch)} RETURNING 1`, age)
  )
  return attempts + (yield* inBatches(run(deleteDeliveries, retention), deleteBatch))
})

/** The queue of webhook deliveries. Entries have the ids of deliveries. */
export const WebhookQueueSql = Layer.effect(
  WebhookQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const queue = yield* workQueueSql(queueTables.webhook, {
      read: (leases: ReadonlyArray<WebhookLease>) => takeWebhooks(sql, leases),
      settle: (done: ReadonlyArray<SettledWebhook>, hold) => settleWebhooks(sql, done, hold)
    })
    return {
      ...queue,
      deleteExpired: (retention) => orUnavailable(deleteOldWebhooks(sql, retention))
    }
  })
).pipe(Layer.provide(NotificationsLive))
