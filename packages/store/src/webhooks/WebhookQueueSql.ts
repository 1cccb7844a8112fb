import { SqlClient } from "@effect/sql"
import { type SettledWebhook, WebhookQueue } from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { Duration, Effect, Layer } from "effect"
import { inBatches } from "../database/InBatches.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { NotificationsLive } from "../queues/Notifications.js"
import { queueTables } from "../queues/QueueTables.js"
import { workQueueSql } from "../queues/WorkQueueSql.js"
import { settleWebhooks } from "./SettleWebhooks.js"
import { takeWebhooks, type WebhookLease } from "./TakeWebhooks.js"

/** Rows of each table that one statement deletes. */
const forgetBatch = 1_000

/** Attempts by their age; deliveries that ended by theirs, so that what is still to be told stays. */
const forgetStatement = /* sql */ `
WITH attempts AS (
  DELETE FROM webhook_attempts WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM webhook_attempts WHERE at < now() - make_interval(secs => $1) LIMIT ${forgetBatch} FOR UPDATE SKIP LOCKED
  )) RETURNING 1
), deliveries AS (
  DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM webhook_deliveries WHERE created_at < now() - make_interval(secs => $1) AND status <> 'pending'
    LIMIT ${forgetBatch} FOR UPDATE SKIP LOCKED
  )) RETURNING 1
)
SELECT greatest((SELECT count(*) FROM attempts), (SELECT count(*) FROM deliveries))::int AS count`

/** Deletes a batch of what nobody asks for any more; how many rows of the table that had more of them. */
const forgetWebhooks = (sql: SqlClient.SqlClient, kept: Duration.Duration) =>
  Effect.map(
    sql.unsafe<{ readonly count: number }>(forgetStatement, [Duration.toSeconds(kept)]),
    ([row]) => row?.count ?? 0
  )

/** The queue of webhook deliveries. Its entries have their ids. */
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
      forget: (kept) => inBatches(forgetWebhooks(sql, kept).pipe(retryConflicts, orUnavailable), forgetBatch)
    }
  })
).pipe(Layer.provide(NotificationsLive))
