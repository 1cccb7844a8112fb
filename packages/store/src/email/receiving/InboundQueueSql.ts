import { SqlClient } from "@effect/sql"
import { InboundQueue } from "@switchboard/services/email/receiving/InboundQueue"
import { Effect, Layer, Ref } from "effect"
import { inBatches } from "../../database/InBatches.js"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { firstOwner } from "../../queues/Leases.js"
import { promoteBatch, promoteMails } from "./PromoteMails.js"
import { settleMails } from "./SettleMails.js"
import { inboundLeases, takeMails } from "./TakeMails.js"

/** The queue in the tables `inbound_queue` and `inbound_waiting`. */
export const InboundQueueSql = Layer.effect(
  InboundQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const leased = yield* inboundLeases.queue
    // Where the last take ended: the next one begins with another organization.
    const cursor = yield* Ref.make<string>(firstOwner)

    return {
      ...leased,
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
          : settleMails(sql, worker, done).pipe(sql.withTransaction, retryConflicts, orUnavailable),
      promote: inBatches(promoteMails(sql).pipe(retryConflicts, orUnavailable), promoteBatch)
    }
  })
)
