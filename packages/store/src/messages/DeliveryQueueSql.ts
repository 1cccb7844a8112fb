import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { DeliveryQueue } from "@switchboard/services/messages/DeliveryQueue"
import { Duration, Effect, Layer, Redacted, Ref } from "effect"
import { inBatches } from "../InBatches.js"
import { listen } from "../Listen.js"
import { orUnavailable, retryConflicts } from "../Unavailable.js"
import { queueChannel } from "./InsertMessages.js"
import { promoteBatch, promoteMessages } from "./PromoteMessages.js"
import { settleMessages } from "./SettleMessages.js"
import { takeMessages } from "./TakeMessages.js"

/** Leases that one statement gives back. */
const recoverBatch = 500

const recoverStatement = /* sql */ `
WITH lost AS (
  UPDATE message_queue AS q SET worker = NULL, lease_until = NULL, takeovers = q.takeovers + 1
  WHERE q.ctid = ANY (ARRAY(SELECT ctid FROM message_queue WHERE lease_until < now() ORDER BY lease_until
    LIMIT ${recoverBatch} FOR UPDATE SKIP LOCKED)) RETURNING 1
)
SELECT (SELECT count(*)::int FROM lost) AS count,
  CASE WHEN EXISTS (SELECT 1 FROM lost) THEN pg_notify('${queueChannel}', '') END AS told`

const renewStatement = /* sql */ `
UPDATE message_queue SET lease_until = now() + make_interval(secs => $3)
WHERE lease_until IS NOT NULL AND worker = $1 AND id = ANY ($2::uuid[])`

/** The organization before all others: where the first take begins. */
const nobody = "00000000-0000-0000-0000-000000000000"

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

    const recoverRound = sql.unsafe<{ count: number }>(recoverStatement).pipe(
      Effect.map(([row]) => row?.count ?? 0),
      retryConflicts,
      orUnavailable
    )

    return {
      take: (request) =>
        Effect.gen(function* () {
          const taken = yield* transaction(takeMessages(sql, request, yield* Ref.get(cursor)))
          yield* Ref.set(cursor, taken.cursor)
          return taken.messages
        }),
      settle: (worker, done) => (done.length === 0 ? Effect.void : transaction(settleMessages(sql, worker, done))),
      renew: (worker, held, lease) =>
        sql
          .unsafe(renewStatement, [worker, [...held], Duration.toSeconds(lease)])
          .pipe(Effect.asVoid, retryConflicts, orUnavailable),
      recover: inBatches(recoverRound, recoverBatch),
      promote: inBatches(transaction(promoteMessages(sql)), promoteBatch),
      woken: listen(pg.config.url ?? Redacted.make(""), queueChannel),
      depth: orUnavailable(
        Effect.map(
          sql<{ ready: number; leased: number; waiting: number }>`SELECT
            (SELECT count(*)::float8 FROM message_queue WHERE lease_until IS NULL) AS ready,
            (SELECT count(*)::float8 FROM message_queue WHERE lease_until IS NOT NULL) AS leased,
            (SELECT count(*)::float8 FROM message_waiting) AS waiting`,
          ([row]) => row ?? { ready: 0, leased: 0, waiting: 0 }
        )
      )
    }
  })
)
