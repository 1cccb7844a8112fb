import { SqlClient } from "@effect/sql"
import { type SettledWebhook, WebhookQueue } from "@switchboard/services/webhooks/WebhookQueue"
import { Effect, Layer } from "effect"
import { inBatches } from "../database/InBatches.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { NotificationsLive } from "../queues/Notifications.js"
import { queueTables } from "../queues/QueueTables.js"
import { workQueue } from "../queues/WorkQueue.js"
import { forgetBatch, forgetWebhooks } from "./ForgetWebhooks.js"
import { settleWebhooks } from "./SettleWebhooks.js"
import { takeWebhooks, type WebhookLease } from "./TakeWebhooks.js"

/** The queue of webhook deliveries. Its entries have their ids. */
export const WebhookQueueSql = Layer.effect(
  WebhookQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const queue = yield* workQueue(queueTables.webhook, {
      read: (leases: ReadonlyArray<WebhookLease>) => takeWebhooks(sql, leases),
      settle: (done: ReadonlyArray<SettledWebhook>, hold) => settleWebhooks(sql, done, hold)
    })
    return {
      ...queue,
      forget: (kept) => inBatches(forgetWebhooks(sql, kept).pipe(retryConflicts, orUnavailable), forgetBatch)
    }
  })
).pipe(Layer.provide(NotificationsLive))
