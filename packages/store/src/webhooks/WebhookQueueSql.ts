import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { WebhookQueue } from "@switchboard/services/webhooks/WebhookQueue"
import { Effect, Layer, Redacted, Ref } from "effect"
import { inBatches } from "../InBatches.js"
import { nobody, recoverBatch } from "../Leases.js"
import { listen } from "../Listen.js"
import { orUnavailable, retryConflicts } from "../Unavailable.js"
import { forgetBatch, forgetWebhooks } from "./ForgetWebhooks.js"
import { promoteBatch, promoteWebhooks } from "./PromoteWebhooks.js"
import { settleWebhooks } from "./SettleWebhooks.js"
import { takeWebhooks, webhookChannel, webhookLeases } from "./TakeWebhooks.js"

/** The queue in the tables `webhook_queue` and `webhook_waiting`. */
export const WebhookQueueSql = Layer.effect(
  WebhookQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const pg = yield* PgClient.PgClient
    // Where the last take ended: the next one begins with another endpoint.
    const cursor = yield* Ref.make<string>(nobody)

    const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(sql.withTransaction, retryConflicts, orUnavailable)

    return {
      take: (request) =>
        Effect.gen(function* () {
          const { cursor: next, taken } = yield* transaction(takeWebhooks(sql, request, yield* Ref.get(cursor)))
          yield* Ref.set(cursor, next)
          return taken
        }),
      settle: (worker, done, tell) =>
        done.length === 0 ? Effect.void : transaction(settleWebhooks(sql, worker, done, tell)),
      renew: (worker, held, lease) => webhookLeases.renew(sql, worker, held, lease),
      recover: inBatches(webhookLeases.recover(sql), recoverBatch),
      promote: inBatches(promoteWebhooks(sql).pipe(retryConflicts, orUnavailable), promoteBatch),
      forget: (kept) => inBatches(forgetWebhooks(sql, kept).pipe(retryConflicts, orUnavailable), forgetBatch),
      woken: listen(pg.config.url ?? Redacted.make(""), webhookChannel)
    }
  })
)
