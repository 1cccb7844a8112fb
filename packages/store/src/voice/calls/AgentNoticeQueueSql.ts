import { SqlClient } from "@effect/sql"
import { AgentNoticeQueue, type NoticeSettlement } from "@switchboard/services/voice/calls/AgentNoticeQueue"
import { Effect, Layer } from "effect"
import { NotificationsLive } from "../../queues/Notifications.js"
import { queueTables } from "../../queues/QueueTables.js"
import { type Hold, workQueue } from "../../queues/WorkQueue.js"
import { type NoticeLease, takeNotices } from "./TakeNotices.js"

const countRetries = /* sql */ `
UPDATE voice_notice_queue AS q SET retries_used = g.retries_used
FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, retries_used int)
WHERE q.organization_id = g.organization_id AND q.id = g.id`

/** Stores how notices go on that the worker still holds: those that were heard, or are given up, leave. */
const settleNotices = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  done: ReadonlyArray<NoticeSettlement>,
  hold: Hold
) {
  const held = yield* hold(done.map(({ taken }) => taken))
  const own = done.filter(({ taken }) => held.has(taken.id))
  const repeated = own.flatMap(({ retriesUsed, retryAt, taken: { id, organizationId } }) =>
    retryAt === null ? [] : [{ organization_id: organizationId, id, retries_used: retriesUsed }]
  )
  if (repeated.length > 0) yield* sql.unsafe(countRetries, [JSON.stringify(repeated)])
  return own.map(({ retryAt, taken: { id, organizationId } }) => ({ organizationId, id, retryAt }))
})

/** The queue of events for the webhooks of agents. */
export const AgentNoticeQueueSql = Layer.effect(
  AgentNoticeQueue,
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    workQueue(queueTables.voice_notice, {
      read: (leases: ReadonlyArray<NoticeLease>) => takeNotices(sql, leases),
      settle: (done: ReadonlyArray<NoticeSettlement>, hold) => settleNotices(sql, done, hold)
    })
  )
).pipe(Layer.provide(NotificationsLive))
