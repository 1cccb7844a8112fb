import { SqlClient } from "@effect/sql"
import { VoiceCallQueue } from "@switchboard/services/voice/calls/VoiceCallQueue"
import { Effect, Layer, Ref } from "effect"
import { inBatches } from "../../database/InBatches.js"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { firstOwner } from "../../queues/Leases.js"
import { callChannel } from "./CallWork.js"
import { settleCall } from "./SettleCall.js"
import { callLeases, takeCalls } from "./TakeCalls.js"

/** Entries that one statement moves. */
const promoteBatch = 500

const promoteStatement = /* sql */ `
WITH due AS (
  DELETE FROM voice_call_waiting WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM voice_call_waiting WHERE due_at <= now() ORDER BY due_at LIMIT ${promoteBatch}
    FOR UPDATE SKIP LOCKED
  )) RETURNING organization_id, id, due_at
), ready AS (
  INSERT INTO voice_call_queue (organization_id, id, ready_at)
  SELECT organization_id, id, due_at FROM due RETURNING 1
), told AS (
  SELECT pg_notify('${callChannel}', '') WHERE EXISTS (SELECT 1 FROM ready)
)
SELECT (SELECT count(*)::int FROM ready) AS count, (SELECT count(*) FROM told) AS told`

/** The queue in the tables `voice_call_queue` and `voice_call_waiting`. */
export const VoiceCallQueueSql = Layer.effect(
  VoiceCallQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const leased = yield* callLeases.queue
    // Where the last take ended: the next one begins with another organization.
    const cursor = yield* Ref.make<string>(firstOwner)

    const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(sql.withTransaction, retryConflicts, orUnavailable)

    const promoted = Effect.map(
      sql.unsafe<{ readonly count: number }>(promoteStatement),
      ([row]) => row?.count ?? 0
    ).pipe(retryConflicts, orUnavailable)

    return {
      ...leased,
      take: (request) =>
        Effect.gen(function* () {
          const { cursor: next, taken } = yield* transaction(takeCalls(sql, request, yield* Ref.get(cursor)))
          yield* Ref.set(cursor, next)
          return taken
        }),
      settle: (worker, settlement) => Effect.asVoid(transaction(settleCall(sql, worker, settlement))),
      promote: inBatches(promoted, promoteBatch)
    }
  })
)
