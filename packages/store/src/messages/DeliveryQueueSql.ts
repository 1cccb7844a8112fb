import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { DeliveryQueue } from "@switchboard/services/messages/DeliveryQueue"
import { Effect, Layer, Redacted, Ref } from "effect"
import { inBatches } from "../InBatches.js"
import { nobody, recoverBatch } from "../Leases.js"
import { listen } from "../Listen.js"
import { orUnavailable, retryConflicts } from "../Unavailable.js"
import { queueChannel } from "./InsertMessages.js"
import { messageLeases } from "./LeaseEntries.js"
import { promoteBatch, promoteMessages } from "./PromoteMessages.js"
import { settleMessages } from "./SettleMessages.js"
import { takeMessages } from "./TakeMessages.js"

/** The queue in the tables `message_queue` and `message_waiting`. */
export const DeliveryQueueSql = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const pg = yield* PgClient.PgClient
    // Where the last take ended: the next one begins with another organization.
    const cursor = yield* Ref.make<string>(nobody)

    const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(sql.withTransaction, retryConflicts, orUnavailable)

    return {
      take: (request) =>
        Effect.gen(function* () {
          const taken = yield* transaction(takeMessages(sql, request, yield* Ref.get(cursor)))
          yield* Ref.set(cursor, taken.cursor)
          return taken.messages
        }),
      settle: (worker, done) => (done.length === 0 ? Effect.void : transaction(settleMessages(sql, worker, done))),
      renew: (worker, held, lease) => messageLeases.renew(sql, worker, held, lease),
      recover: inBatches(messageLeases.recover(sql), recoverBatch),
      promote: inBatches(transaction(promoteMessages(sql)), promoteBatch),
      woken: listen(pg.config.url ?? Redacted.make(""), queueChannel)
    }
  })
)
