import type { SqlClient } from "@effect/sql"
import type { EventId, EventType } from "@switchboard/domain/events/EventType"
import type { WebhookDeliveryId, WebhookEndpointId, WebhookTrigger } from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { WebhookRateLimit } from "@switchboard/domain/webhooks/WebhookRequests"
import type { LeaseRequest } from "@switchboard/services/queues/LeasedQueue"
import type { TakenWebhook } from "@switchboard/services/webhooks/WebhookQueue"
import { Array, DateTime, Effect } from "effect"
import { readEventMessages } from "../events/EventMessages.js"
import { type LeaseRow, leaseHistory, leasesOf } from "../queues/Leases.js"
import { firstBodies } from "./FirstBodies.js"

/** The channel on which workers hear that something is to be told. The trigger that fans events out says so too. */
export const webhookChannel = "switchboard_webhooks"

/** A queue entry that was leased just now. */
interface WebhookLease extends LeaseRow {
  readonly endpoint_id: WebhookEndpointId
  readonly id: WebhookDeliveryId
}

/** The leases of `webhook_queue`: endpoints take turns. */
export const webhookLeases = leasesOf<WebhookLease>({
  name: "webhook_queue",
  owner: "endpoint_id",
  columns: ["endpoint_id"],
  channel: webhookChannel
})

/** One after the other by primary key, whatever the plan. */
const readStatement = /* sql */ `
SELECT d.id, d.attempts, d.retries_used, d.trigger, w.url, w.headers, w.rate_limit,
  w.secret, CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS previous_secret,
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

interface WorkRow {
  readonly id: WebhookDeliveryId
  readonly attempts: number
  readonly retries_used: number
  readonly trigger: WebhookTrigger
  readonly url: string
  readonly headers: Uint8Array | null
  readonly rate_limit: WebhookRateLimit
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
  readonly event_id: EventId
  readonly type: EventType
  readonly subject_id: string
  readonly data: unknown
  readonly created_at: Date
  readonly body: string | null
}

interface Work {
  readonly entry: WebhookLease
  readonly row: WorkRow
}

/** An entry whose endpoint is gone or not active any more has nobody to tell. */
const dropStatement = /* sql */ `DELETE FROM webhook_queue WHERE ctid = ANY ($1::tid[])`

/** Leases entries, and reads what is to be told to whom. To be run in a transaction. */
export const takeWebhooks = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  request: LeaseRequest,
  cursor: string
) {
  const leases = yield* webhookLeases.take(sql, request, cursor)
  const last = leases.at(-1)
  if (last === undefined) return { taken: [], cursor }
  const rows = yield* sql.unsafe<WorkRow>(readStatement, [
    JSON.stringify(leases.map(({ endpoint_id, id, organization_id }) => ({ organization_id, endpoint_id, id })))
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const work = leases.flatMap((entry): ReadonlyArray<Work> => {
    const row = byId.get(entry.id)
    return row === undefined ? [] : [{ entry, row }]
  })
  const orphans = leases.filter(({ id }) => !byId.has(id))
  if (Array.isNonEmptyArray(orphans)) {
    yield* sql.unsafe(dropStatement, [orphans.map(({ place_in_table }) => place_in_table)])
  }
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
  const first = yield* firstBodies(
    sql,
    deliveries.flatMap(({ entry: { id }, event, row }) =>
      row.body === null ? [{ id, event, message: messages.get(row.subject_id) ?? null }] : []
    )
  )
  const taken = deliveries.map(
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
        secrets: row.previous_secret === null ? [row.secret] : [row.secret, row.previous_secret],
        rateLimit: row.rate_limit
      },
      event,
      body: row.body ?? first.get(entry.id) ?? null
    })
  )
  return { taken, cursor: last.endpoint_id }
})
