import { SqlClient } from "@effect/sql"
import { deletionAge, type PartitionedTable } from "@switchboard/services/retention/PartitionRepo"
import { type SettledWebhook, WebhookQueue } from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { type Duration, Effect, Layer } from "effect"
import { orUnavailable } from "../database/Unavailable.js"
import { deleteOldRows, olderThanAge } from "../partitions/DeleteOldRows.js"
import { NotificationsLive } from "../queues/Notifications.js"
import { queueTables } from "../queues/QueueTables.js"
import { workQueueSql } from "../queues/WorkQueueSql.js"
import { settleWebhooks } from "./SettleWebhooks.js"
import { takeWebhooks, type WebhookLease } from "./TakeWebhooks.js"

/** The maximum number of rows that one statement deletes from each table. */
const deleteBatch = 1_000

/** Deletes old attempts, and old deliveries that are not pending. Returns the number of deleted rows. */
const deleteOldWebhooks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, retention: Duration.Duration) {
  const age = deletionAge(retention)
  const deleteRows = (table: PartitionedTable, isOld: string) =>
    deleteOldRows(sql, { table, isOld, batch: deleteBatch }, age)
  const attempts = yield* deleteRows("webhook_attempts", olderThanAge("at"))
  return attempts + (yield* deleteRows("webhook_deliveries", `${olderThanAge("created_at")} AND status <> 'pending'`))
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
