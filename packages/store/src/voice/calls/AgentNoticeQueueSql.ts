import { SqlClient } from "@effect/sql"
import { AgentNoticeQueue, type NoticeSettlement } from "@switchboard/services/voice/calls/AgentNoticeQueue"
import { DateTime, Effect, Layer, Ref } from "effect"
import { inBatches } from "../../database/InBatches.js"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { firstOwner, settledLease } from "../../queues/Leases.js"
import { noticeLeases, takeNotices } from "./TakeNotices.js"
import { noticeChannel } from "./TellOfCall.js"

/** Entries that one statement moves. */
const promoteBatch = 500

const promoteStatement = /* sql */ `
WITH due AS (
  DELETE FROM voice_notice_waiting WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM voice_notice_waiting WHERE due_at <= now() ORDER BY due_at LIMIT ${promoteBatch}
    FOR UPDATE SKIP LOCKED
  )) RETURNING organization_id, agent_id, id, event_id, retries_used
), ready AS (
  INSERT INTO voice_notice_queue (organization_id, agent_id, id, event_id, retries_used, ready_at)
  SELECT organization_id, agent_id, id, event_id, retries_used, now() FROM due RETURNING 1
), told AS (
  SELECT pg_notify('${noticeChannel}', '') WHERE EXISTS (SELECT 1 FROM ready)
)
SELECT (SELECT count(*)::int FROM ready) AS count, (SELECT count(*) FROM told) AS told`

/** Notices that were heard or given up leave, those that are repeated later wait apart or are ready again at once. */
const settleStatement = /* sql */ `
WITH held AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g(place_in_table tid, organization_id uuid, agent_id uuid, id uuid,
    event_id uuid, retries_used int, retry_at timestamptz)
), gone AS (
  DELETE FROM voice_notice_queue
  WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM held WHERE retry_at IS NULL OR retry_at > now()))
), waiting AS (
  INSERT INTO voice_notice_waiting (organization_id, agent_id, id, event_id, retries_used, due_at)
  SELECT organization_id, agent_id, id, event_id, retries_used, retry_at FROM held WHERE retry_at > now()
), again AS (
  UPDATE voice_notice_queue AS q SET ${settledLease}, lease_until = NULL, retries_used = h.retries_used
  FROM held AS h WHERE h.retry_at <= now() AND q.ctid = h.place_in_table RETURNING 1
)
SELECT pg_notify('${noticeChannel}', '') WHERE EXISTS (SELECT 1 FROM again)`

/** The queue in the tables `voice_notice_queue` and `voice_notice_waiting`. */
export const AgentNoticeQueueSql = Layer.effect(
  AgentNoticeQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const leased = yield* noticeLeases.queue
    // Where the last take ended: the next one begins with another agent.
    const cursor = yield* Ref.make<string>(firstOwner)

    const promoted = Effect.map(
      sql.unsafe<{ readonly count: number }>(promoteStatement),
      ([row]) => row?.count ?? 0
    ).pipe(retryConflicts, orUnavailable)

    const settle = Effect.fnUntraced(function* (worker: string, done: ReadonlyArray<NoticeSettlement>) {
      const placeOf = yield* noticeLeases.lock(
        sql,
        worker,
        done.map(({ taken }) => taken)
      )
      const held = done.flatMap(({ retriesUsed, retryAt, taken: { agentId, event, id, organizationId } }) => {
        const place = placeOf.get(id)
        return place === undefined
          ? []
          : [
              {
                place_in_table: place,
                organization_id: organizationId,
                agent_id: agentId,
                id,
                event_id: event.id,
                retries_used: retriesUsed,
                retry_at: retryAt === null ? null : DateTime.formatIso(retryAt)
              }
            ]
      })
      yield* sql.unsafe(settleStatement, [JSON.stringify(held)])
    })

    return {
      ...leased,
      take: (request) =>
        Effect.gen(function* () {
          const { cursor: next, taken } = yield* takeNotices(sql, request, yield* Ref.get(cursor)).pipe(
            sql.withTransaction,
            retryConflicts,
            orUnavailable
          )
          yield* Ref.set(cursor, next)
          return taken
        }),
      settle: (worker, done) => settle(worker, done).pipe(sql.withTransaction, retryConflicts, orUnavailable),
      promote: inBatches(promoted, promoteBatch)
    }
  })
)
