import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { AgentNoticeQueue } from "@switchboard/services/voice/calls/AgentNoticeQueue"
import { DateTime, Effect, Layer, Redacted, Ref } from "effect"
import { inBatches } from "../../InBatches.js"
import { nobody, recoverBatch } from "../../Leases.js"
import { listen } from "../../Listen.js"
import { orUnavailable, retryConflicts } from "../../Unavailable.js"
import { noticeLeases, takeNotices } from "./TakeNotices.js"
import { noticeChannel } from "./TellOfCall.js"

/** Entries that one statement moves. */
const promoteBatch = 500

const promoteStatement = /* sql */ `
WITH due AS (
  DELETE FROM voice_notice_waiting WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM voice_notice_waiting WHERE due_at <= now() ORDER BY due_at LIMIT ${promoteBatch}
    FOR UPDATE SKIP LOCKED
  )) RETURNING organization_id, agent_id, id, event_id, retries_used, takeovers
), ready AS (
  INSERT INTO voice_notice_queue (organization_id, agent_id, id, event_id, retries_used, ready_at, takeovers)
  SELECT organization_id, agent_id, id, event_id, retries_used, now(), takeovers FROM due RETURNING 1
), told AS (
  SELECT pg_notify('${noticeChannel}', '') WHERE EXISTS (SELECT 1 FROM ready)
)
SELECT (SELECT count(*)::int FROM ready) AS count, (SELECT count(*) FROM told) AS told`

/** Only what this worker still holds. What was heard leaves, what is told again waits apart or is ready again. */
const settleStatement = /* sql */ `
WITH held AS MATERIALIZED (
  SELECT e.place_in_table, e.agent_id, e.event_id, d.*
  FROM (SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, retries_used int,
      retry_at timestamptz) ORDER BY organization_id, id) AS d
    CROSS JOIN LATERAL (
      SELECT q.ctid AS place_in_table, q.agent_id, q.event_id FROM voice_notice_queue AS q
      WHERE q.organization_id = d.organization_id AND q.id = d.id AND q.worker = $2 FOR UPDATE
    ) AS e
), gone AS (
  DELETE FROM voice_notice_queue
  WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM held WHERE retry_at IS NULL OR retry_at > now()))
), waiting AS (
  INSERT INTO voice_notice_waiting (organization_id, agent_id, id, event_id, retries_used, due_at)
  SELECT organization_id, agent_id, id, event_id, retries_used, retry_at FROM held WHERE retry_at > now()
), again AS (
  UPDATE voice_notice_queue AS q SET worker = NULL, lease_until = NULL, retries_used = h.retries_used
  FROM held AS h WHERE h.retry_at <= now() AND q.ctid = h.place_in_table RETURNING 1
)
SELECT pg_notify('${noticeChannel}', '') WHERE EXISTS (SELECT 1 FROM again)`

/** The queue in the tables `voice_notice_queue` and `voice_notice_waiting`. */
export const AgentNoticeQueueSql = Layer.effect(
  AgentNoticeQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const pg = yield* PgClient.PgClient
    // Where the last take ended: the next one begins with another agent.
    const cursor = yield* Ref.make<string>(nobody)

    const promoted = Effect.map(
      sql.unsafe<{ readonly count: number }>(promoteStatement),
      ([row]) => row?.count ?? 0
    ).pipe(retryConflicts, orUnavailable)

    return {
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
      settle: (worker, done) => {
        const rows = done.map(({ retriesUsed, retryAt, taken: { id, organizationId } }) => ({
          organization_id: organizationId,
          id,
          retries_used: retriesUsed,
          retry_at: retryAt === null ? null : DateTime.formatIso(retryAt)
        }))
        return sql
          .unsafe(settleStatement, [JSON.stringify(rows), worker])
          .pipe(Effect.asVoid, retryConflicts, orUnavailable)
      },
      renew: (worker, held, lease) => noticeLeases.renew(sql, worker, held, lease),
      recover: inBatches(noticeLeases.recover(sql), recoverBatch),
      promote: inBatches(promoted, promoteBatch),
      woken: listen(pg.config.url ?? Redacted.make(""), noticeChannel)
    }
  })
)
