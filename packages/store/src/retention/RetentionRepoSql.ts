import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { Duration, Effect, Layer, Number } from "effect"
import { deleteOlder } from "../database/Batches.js"
import { separateConnections } from "../database/Database.js"
import { orUnavailable } from "../database/Unavailable.js"
import { bodies, eraseContent, inboundRaw } from "./ExpiredContent.js"
import { auditEntries, blockLogs, events, forwardings, keyActivity, webhookLogs } from "./ExpiredLogs.js"
import { eraseExpired, maxCommitDelay } from "./ExpiredRows.js"
import { updatePartitions } from "./Partitions.js"

/**
 * Deletes data beyond its retention. Partitions are changed over a separate connection without the pool's timeouts: the
 * check of the default partition can take long.
 */
export const RetentionRepoSql = Layer.effect(
  RetentionRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const database = yield* PgClient.PgClient
    return {
      eraseBodies: (retention) => eraseContent(sql, bodies, retention),
      eraseEvents: (retention) => eraseExpired(sql, events, retention),
      // A worker with an expired lease may still be processing a younger mail.
      eraseMailLogs: (retention) =>
        Effect.zipWith(
          eraseExpired(sql, forwardings, Duration.max(retention, maxCommitDelay)),
          eraseExpired(sql, blockLogs, retention),
          Number.sum
        ),
      eraseInboundRaw: (retention) => eraseContent(sql, inboundRaw, retention),
      deleteWebhooks: (retention) =>
        Effect.map(
          Effect.forEach(webhookLogs, (one) => eraseExpired(sql, one, retention)),
          Number.sumAll
        ),
      deleteKeyActivity: (retention) =>
        Effect.zipLeft(
          eraseExpired(sql, keyActivity, retention),
          sql`DELETE FROM api_key_usage WHERE requests = 0
            AND hour < now() - make_interval(secs => ${Duration.toSeconds(retention)})`.pipe(
            Effect.zipRight(sql`DELETE FROM api_key_totals WHERE requests = 0`),
            orUnavailable
          )
        ),
      deleteAudit: (retention) => eraseExpired(sql, auditEntries, retention),
      deleteProviderIds: deleteOlder(sql, "provider_messages", "channel, provider_message_id", "created_at"),
      updatePartitions: (table, retention) =>
        updatePartitions(table, retention).pipe(
          Effect.provide(separateConnections(1)),
          Effect.provideService(PgClient.PgClient, database),
          orUnavailable
        )
    }
  })
)
