import { SqlClient } from "@effect/sql"
import { DeliveryQueue } from "@switchboard/services/messages/DeliveryQueue"
import { Effect, Layer, Ref } from "effect"
import { inBatches } from "../database/InBatches.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { firstOwner } from "../queues/Leases.js"
import { messageLeases } from "./LeaseEntries.js"
import { promoteBatch, promoteMessages } from "./PromoteMessages.js"
import { settleMessages } from "./SettleMessages.js"
import { takeMessages } from "./TakeMessages.js"

/** The queue in the tables `message_queue` and `message_waiting`. */
export const DeliveryQueueSql = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const leased = yield* messageLeases.queue
    // Where the last take ended: the next one begins with another organization.
    const cursor = yield* Ref.make<string>(firstOwner)

    const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(sql.withTransaction, retryConflicts, orUnavailable)

    return {
      ...leased,
      take: (request) =>
        Effect.gen(function* () {
          const taken = yield* transaction(takeMessages(sql, request, yield* Ref.get(cursor)))
          yield* Ref.set(cursor, taken.cursor)
          return taken.messages
        }),
      settle: (worker, done) => (done.length === 0 ? Effect.void : transaction(settleMessages(sql, worker, done))),
      promote: inBatches(transaction(promoteMessages(sql)), promoteBatch)
    }
  })
)
