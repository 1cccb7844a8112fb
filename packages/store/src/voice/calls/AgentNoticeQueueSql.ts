import { SqlClient } from "@effect/sql"
import type { EventId, EventType } from "@switchboard/domain/events/EventType"
import type { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import {
  AgentNoticeQueue,
  type NoticeSettlement,
  type TakenNotice
} from "@switchboard/services/voice/calls/AgentNoticeQueue"
import { headersPurpose, secretPurpose } from "@switchboard/services/webhooks/delivery/SignedPost"
import { DateTime, Effect, Layer } from "effect"
import { secretOf, secretsOf } from "../../installation/Secrets.js"
import { type LeaseRow, leaseHistory } from "../../queues/LeaseEntries.js"
import { NotificationsLive, queueTables } from "../../queues/QueueTables.js"
import { type Hold, workQueueSql } from "../../queues/WorkQueueSql.js"

/** A leased entry of `voice_notice_queue`. */
interface NoticeLease extends LeaseRow {
  readonly agent_id: VoiceAgentId
  readonly event_id: EventId
  readonly retries_used: number
}

/** LATERAL with OFFSET 0 forces one primary key lookup per entry. */
const readStatement = /* sql */ `
SELECT t.id AS notice_id, a.webhook_url,
  ${secretOf("a.organization_id", "a.id::text", headersPurpose)} AS webhook_headers,
  ${secretsOf("a.organization_id", "a.id::text", secretPurpose)} AS webhook_secrets,
  e.type, e.subject_id, e.data, e.created_at
FROM json_to_recordset($1::json) AS t(organization_id uuid, agent_id uuid, id uuid, event_id uuid)
  CROSS JOIN LATERAL (
    SELECT * FROM voice_agents AS a
    WHERE a.organization_id = t.organization_id AND a.id = t.agent_id AND a.webhook_url IS NOT NULL OFFSET 0
  ) AS a
  CROSS JOIN LATERAL (
    SELECT * FROM events AS e WHERE e.organization_id = t.organization_id AND e.id = t.event_id OFFSET 0
  ) AS e`

interface WorkRow {
  readonly notice_id: string
  readonly webhook_url: string
  readonly webhook_headers: Uint8Array | null
  readonly webhook_secrets: ReadonlyArray<Uint8Array>
  readonly type: EventType
  readonly subject_id: string
  readonly data: unknown
  readonly created_at: Date
}

/**
 * Reads the events and webhooks of leased entries. Entries of agents without a webhook are dropped. Requires a
 * transaction.
 */
const takeNotices = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, leases: ReadonlyArray<NoticeLease>) {
  const rows = yield* sql.unsafe<WorkRow>(readStatement, [
    JSON.stringify(
      leases.map(({ agent_id, event_id, id, organization_id }) => ({ organization_id, agent_id, id, event_id }))
    )
  ])
  const byId = new Map(rows.map((row) => [row.notice_id, row]))
  const items = leases.flatMap((entry): ReadonlyArray<TakenNotice> => {
    const row = byId.get(entry.id)
    if (row === undefined) return []
    return [
      {
        organizationId: entry.organization_id,
        agentId: entry.agent_id,
        id: entry.id,
        ...leaseHistory(entry),
        retriesUsed: entry.retries_used,
        target: {
          id: entry.agent_id,
          url: row.webhook_url,
          headers: row.webhook_headers,
          secrets: row.webhook_secrets
        },
        event: {
          id: entry.event_id,
          organizationId: entry.organization_id,
          type: row.type,
          subjectId: row.subject_id,
          data: row.data,
          at: DateTime.unsafeFromDate(row.created_at)
        }
      }
    ]
  })
  return { items, gone: leases.filter(({ id }) => !byId.has(id)) }
})

const countRetries = /* sql */ `
UPDATE voice_notice_queue AS q SET retries_used = g.retries_used
FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, retries_used int)
WHERE q.organization_id = g.organization_id AND q.id = g.id`

/** Stores the outcomes of notices that the worker still holds. Delivered and abandoned ones leave the queue. */
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
    workQueueSql(queueTables.voice_notice, {
      read: (leases: ReadonlyArray<NoticeLease>) => takeNotices(sql, leases),
      settle: (done: ReadonlyArray<NoticeSettlement>, hold) => settleNotices(sql, done, hold)
    })
  )
).pipe(Layer.provide(NotificationsLive))
