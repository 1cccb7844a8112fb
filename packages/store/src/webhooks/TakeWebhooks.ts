import type { SqlClient } from "@effect/sql"
import type { EventId, EventType } from "@switchboard/domain/events/EventType"
import type { WebhookDeliveryId, WebhookEndpointId, WebhookTrigger } from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { WebhookRateLimit } from "@switchboard/domain/webhooks/WebhookRequests"
import type { TakenWebhook } from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { Array, DateTime, Effect, Either } from "effect"
import { prepared } from "../database/Prepared.js"
import { readEventMessages } from "../events/EventMessages.js"
import { type LeaseRow, leaseHistory } from "../queues/LeaseRoundRobin.js"
import { storeBodies } from "./StoreBodies.js"
import { signingSecrets } from "./WebhookEndpointRows.js"

/** A leased entry of `webhook_queue`. */
export interface WebhookLease extends LeaseRow {
  readonly endpoint_id: WebhookEndpointId
  readonly id: WebhookDeliveryId
}

/** A LATERAL join: one primary key lookup per entry with any query plan. */
const readStatement = prepared(
  "read_leased_webhooks",
  /* sql */ `
SELECT d.id, d.attempts, d.retries_used, d.trigger, w.url, w.headers, w.rate_limit,
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
export const takeWebhooks = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  leases: ReadonlyArray<WebhookLease>
) {
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
