import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { InboundQueue } from "@switchboard/services/email/receiving/InboundQueue"
import { Effect, Layer, Redacted, Ref } from "effect"
import { inBatches } from "../../InBatches.js"
import { nobody, recoverBatch } from "../../Leases.js"
import { listen } from "../../Listen.js"
import { orUnavailable, retryConflicts } from "../../Unavailable.js"
import { promoteBatch, promoteMails } from "./PromoteMails.js"
import { settleMails } from "./SettleMails.js"
import { inboundChannel, inboundLeases, takeMails } from "./TakeMails.js"

/** The queue in the tables `inbound_queue` and `inbound_waiting`. */
export const InboundQueueSql = Layer.effect(
  InboundQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const pg = yield* PgClient.PgClient
    // Where the last take ended: the next one begins with another organization.
    const cursor = yield* Ref.make<string>(nobody)

    return {
      take: (request) =>
        Effect.gen(function* () {
          const { cursor: next, taken } = yield* takeMails(sql, request, yield* Ref.get(cursor)).pipe(
            sql.withTransaction,
            retryConflicts,
            orUnavailable
          )
          yield* Ref.set(cursor, next)
          return taken
        }),
      settle: (worker, done) =>
        done.length === 0
          ? Effect.void
          : settleMails(sql, worker, done).pipe(Effect.asVoid, retryConflicts, orUnavailable),
      renew: (worker, held, lease) => inboundLeases.renew(sql, worker, held, lease),
      recover: inBatches(inboundLeases.recover(sql), recoverBatch),
      promote: inBatches(promoteMails(sql).pipe(retryConflicts, orUnavailable), promoteBatch),
      woken: listen(pg.config.url ?? Redacted.make(""), inboundChannel)
    }
  })
)
