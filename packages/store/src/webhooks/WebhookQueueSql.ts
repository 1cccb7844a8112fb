import { SqlClient } from "@effect/sql"
import { WebhookQueue } from "@switchboard/services/webhooks/WebhookQueue"
import { Effect, Layer, Ref } from "effect"
import { inBatches } from "../database/InBatches.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { firstOwner } from "../queues/Leases.js"
import { forgetBatch, forgetWebhooks } from "./ForgetWebhooks.js"
import { promoteBatch, promoteWebhooks } from "./PromoteWebhooks.js"
import { settleWebhooks } from "./SettleWebhooks.js"
import { takeWebhooks, webhookLeases } from "./TakeWebhooks.js"

/** The queue in the tables `webhook_queue` and `webhook_waiting`. */
export const WebhookQueueSql = Layer.effect(
  WebhookQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const leased = yield* webhookLeases.queue
    // Where the last take ended: the next one begins with another endpoint.
    const cursor = yield* Ref.make<string>(firstOwner)

    const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(sql.withTransaction, retryConflicts, orUnavailable)

    return {
      ...leased,
      take: (request) =>
        Effect.gen(function* () {
          const { cursor: next, taken } = yield* transaction(takeWebhooks(sql, request, yield* Ref.get(cursor)))
          yield* Ref.set(cursor, next)
          return taken
        }),
      settle: (worker, done, tell) =>
        done.length === 0 ? Effect.void : transaction(settleWebhooks(sql, worker, done, tell)),
      promote: inBatches(promoteWebhooks(sql).pipe(retryConflicts, orUnavailable), promoteBatch),
      forget: (kept) => inBatches(forgetWebhooks(sql, kept).pipe(retryConflicts, orUnavailable), forgetBatch)
    }
  })
)
