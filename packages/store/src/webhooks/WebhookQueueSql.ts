import { SqlClient } from "@effect/sql"
import type { EventId, EventType } from "@switchboard/domain/events/EventType"
import type { Message } from "@switchboard/domain/messages/Message"
import type { WebhookDeliveryId, WebhookEndpointId, WebhookTrigger } from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { WebhookRateLimit } from "@switchboard/domain/webhooks/WebhookRequests"
import { encodeEvent, type StoredEvent } from "@switchboard/services/events/StoredEvent"
import { readableRows } from "@switchboard/services/ReadableRows"
import {
  type SettledWebhook,
  type TakenWebhook,
  WebhookQueue
} from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { Array, DateTime, Effect, Either, Layer } from "effect"
import { prepared } from "../database/Prepared.js"
import { readEventMessages } from "../events/EventMessages.js"
import { type LeaseRow, leaseHistory } from "../queues/LeaseEntries.js"
import { NotificationsLive, queueTables } from "../queues/QueueTables.js"
import { workQueueSql } from "../queues/WorkQueueSql.js"
import { settleWebhooks } from "./SettleWebhooks.js"
import { endpointHeaders, signingSecrets } from "./WebhookEndpointRows.js"

/** A delivery whose body is not stored yet. */
interface BodylessDelivery {
  readonly id: WebhookDeliveryId
  readonly event: StoredEvent
  /** The message that the event is about; null if there is none, or it was deleted. */
  readonly message: typeof Message.Encoded | null
}

/** A message that is deleted concurrently gets no body. */
const insertStatement = /* sql */ `
WITH bodies AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, delivery_id uuid, message_id uuid, body text)
), about AS MATERIALIZED (
  SELECT m.organization_id, m.id FROM messages AS m
  WHERE (m.organization_id, m.id) IN (SELECT organization_id, message_id FROM bodies)
  ORDER BY m.organization_id, m.id FOR KEY SHARE
)
INSERT INTO webhook_bodies (organization_id, delivery_id, message_id, body)
SELECT organization_id, delivery_id, message_id, body FROM bodies
WHERE message_id IS NULL OR (organization_id, message_id) IN (SELECT organization_id, id FROM about)
RETURNING delivery_id, body`

/**
 * Stores the bodies of deliveries, and returns them by delivery id. All attempts send the stored body, also after the
 * first worker is lost. None for an event of a deleted message. Requires the transaction that leases the deliveries.
 */
const storeBodies = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  deliveries: ReadonlyArray<BodylessDelivery>
) {
  const encoded = yield* readableRows(deliveries, ({ event, id, message }) => {
    const body = encodeEvent(event, message)
    return body === null
      ? null
      : {
          organization_id: event.organizationId,
          delivery_id: id,
          message_id: message?.id ?? null,
          body: JSON.stringify(body)
        }
  })
  const rows = Array.filter(encoded, (row) => row !== null)
  const stored =
    rows.length === 0
      ? []
      : yield* sql.unsafe<{ readonly delivery_id: WebhookDeliveryId; readonly body: string }>(insertStatement, [
          JSON.stringify(rows)
        ])
  return new Map(stored.map(({ body, delivery_id }) => [delivery_id, body]))
})

/** A leased entry of `webhook_queue`. */
interface WebhookLease extends LeaseRow {
  readonly endpoint_id: WebhookEndpointId
  readonly id: WebhookDeliveryId
}

/** A LATERAL join: one primary key lookup per entry with any query plan. */
const readStatement = prepared(
  "read_leased_webhooks",
  /* sql */ `
SELECT d.id, d.attempts, d.retries_used, d.trigger, w.url, ${endpointHeaders} AS headers, w.rate_limit,
  ${signingSecrets} AS secrets,
  e.id AS event_id, e.type, e.subject_id, e.data, e.created_at,
  (SELECT b.body FROM webhook_bodies AS b WHERE b.organization_id = t.organization_id AND b.delivery_id = t.id) AS body
FROM json_to_recordset($1::json) AS t(organization_id uuid, endpoint_id uuid, id uuid)
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_deliveries AS d WHERE d.organization_id = t.organization_id AND d.id = t.id OFFSET 0
  ) AS d
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_endpoints AS w
    WHERE w.organization_id = t.organization_id AND w.id = t.endpoint_id AND w.status = 'active' OFFSET 0
  ) AS w
  CROSS JOIN LATERAL (
    SELECT * FROM events AS e WHERE e.organization_id = t.organization_id AND e.id = d.event_id OFFSET 0
  ) AS e`
)

interface WorkRow {
  readonly id: WebhookDeliveryId
  readonly attempts: number
  readonly retries_used: number
  readonly trigger: WebhookTrigger
  readonly url: string
  readonly headers: Uint8Array | null
  readonly rate_limit: WebhookRateLimit
  readonly secrets: ReadonlyArray<Uint8Array>
  readonly event_id: EventId
  readonly type: EventType
  readonly subject_id: string
  readonly data: unknown
  readonly created_at: Date
  readonly body: string | null
}

/**
 * Reads the events and endpoints of leased entries. Entries of removed or inactive endpoints are dropped. Requires a
 * transaction.
 */
const takeWebhooks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, leases: ReadonlyArray<WebhookLease>) {
  const rows = yield* sql.unsafe<WorkRow>(readStatement, [
    JSON.stringify(leases.map(({ endpoint_id, id, organization_id }) => ({ organization_id, endpoint_id, id })))
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const [gone, work] = Array.partitionMap(leases, (entry) => {
    const row = byId.get(entry.id)
    return row === undefined ? Either.left(entry) : Either.right({ entry, row })
  })
  const messages = yield* readEventMessages(
    sql,
    work.flatMap(({ entry, row }) =>
      row.body === null ? [{ organizationId: entry.organization_id, type: row.type, subjectId: row.subject_id }] : []
    )
  )
  const deliveries = work.map(({ entry, row }) => ({
    entry,
    row,
    event: {
      id: row.event_id,
      organizationId: entry.organization_id,
      type: row.type,
      subjectId: row.subject_id,
      data: row.data,
      at: DateTime.unsafeFromDate(row.created_at)
    }
  }))
  const first = yield* storeBodies(
    sql,
    deliveries.flatMap(({ entry: { id }, event, row }) =>
      row.body === null ? [{ id, event, message: messages.get(row.subject_id) ?? null }] : []
    )
  )
  const items = deliveries.map(
    ({ entry, event, row }): TakenWebhook => ({
      organizationId: entry.organization_id,
      deliveryId: entry.id,
      ...leaseHistory(entry),
      attempt: row.attempts + 1,
      retriesUsed: row.retries_used,
      trigger: row.trigger,
      target: {
        id: entry.endpoint_id,
        url: row.url,
        headers: row.headers,
        secrets: row.secrets,
        rateLimit: row.rate_limit
      },
      event,
      body: row.body ?? first.get(entry.id) ?? null
    })
  )
  return { items, gone }
})

/** The queue of webhook deliveries. Entries have the ids of deliveries. */
export const WebhookQueueSql = Layer.effect(
  WebhookQueue,
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    workQueueSql(queueTables.webhook, {
      read: (leases: ReadonlyArray<WebhookLease>) => takeWebhooks(sql, leases),
      settle: (done: ReadonlyArray<SettledWebhook>, hold) => settleWebhooks(sql, done, hold)
    })
  )
).pipe(Layer.provide(NotificationsLive))
