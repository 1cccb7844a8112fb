import type { SqlClient } from "@effect/sql"
import { EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryStatus,
  WebhookEndpointId
} from "@switchboard/domain/webhooks/WebhookEndpoint"
import { timeOfId } from "@switchboard/services/NewId"
import type { WebhookDeliveryFilter } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { DateTime, Effect, Schema } from "effect"
import { firstIdAt } from "../FirstIdAt.js"
import { selectPage } from "../Lists.js"

const Instant = Schema.DateTimeUtcFromDate

/** The columns of `webhook_attempts` that an exchange determines. */
export const attemptColumns =
  "at, request_headers, response_status, response_headers, response_body, duration_ms, error"

/** The columns of `attemptRecord` with their types. */
export const attemptTypes = `at timestamptz, request_headers json, response_status int, response_headers json,
  response_body text, duration_ms int, error text`

/** The values of `attemptColumns` in a JSON record. */
export const attemptRecord = (attempt: Omit<WebhookAttempt, "attempt" | "trigger">) => ({
  at: DateTime.formatIso(attempt.at),
  request_headers: attempt.requestHeaders,
  response_status: attempt.responseStatus,
  response_headers: attempt.responseHeaders,
  response_body: attempt.responseBody,
  duration_ms: attempt.durationMs,
  error: attempt.error
})

/** NULL in a column is an absent field. */
const absentNulls = (row: object) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

const decodeDelivery = Schema.decodeUnknownSync(
  Schema.Struct({
    id: WebhookDeliveryId,
    endpointId: WebhookEndpointId,
    eventId: WebhookDelivery.fields.eventId,
    eventType: EventType,
    status: WebhookDeliveryStatus,
    attempts: Schema.Array(WebhookAttempt),
    requestBody: Schema.optional(Schema.String),
    nextAttemptAt: Schema.optional(Instant),
    createdAt: Instant
  })
)

/** SQL: whether `webhook_deliveries AS d`, which has not ended, follows a failed attempt. A manual retry does not. */
export const isRetrying = "d.attempts > 0 AND d.trigger = 'scheduled'"

const columns = `d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.event_type AS "eventType",
  CASE WHEN d.status = 'pending' AND ${isRetrying} THEN 'retrying' ELSE d.status END AS status,
  (SELECT b.body FROM webhook_bodies AS b
    WHERE b.organization_id = d.organization_id AND b.delivery_id = d.id) AS "requestBody",
  (SELECT coalesce(json_agg(json_strip_nulls(json_build_object('attempt', a.attempt, 'trigger', a.trigger, 'at', a.at,
      'requestHeaders', a.request_headers, 'responseStatus', a.response_status, 'responseHeaders', a.response_headers,
      'responseBody', a.response_body, 'durationMs', a.duration_ms, 'error', a.error)) ORDER BY a.attempt), '[]')
    FROM webhook_attempts AS a WHERE a.organization_id = d.organization_id AND a.delivery_id = d.id) AS attempts,
  d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt"`

const deliveryFromRow = (row: object) =>
  new WebhookDelivery(decodeDelivery(absentNulls(row)), { disableValidation: true })

const hasStatus = (sql: SqlClient.SqlClient, status: WebhookDeliveryStatus) => {
  if (status !== "pending" && status !== "retrying") return sql`d.status = ${status}`
  return sql`d.status = 'pending' AND (${sql.literal(isRetrying)}) = ${status === "retrying"}`
}

/** The ids of deliveries have the times of their events, by the clocks of other processes. */
const clockSkew = { minutes: 5 }

/** A page of an endpoint's deliveries, newest first. */
export const listDeliveries = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  endpoint: WebhookEndpointId,
  { event, messageId, status }: WebhookDeliveryFilter,
  request: PageRequest
) => {
  const where = [
    sql`d.organization_id = ${organization} AND d.endpoint_id = ${endpoint}`,
    ...(status === undefined ? [] : [hasStatus(sql, status)]),
    ...(event === undefined ? [] : [sql`d.event_type = ${event}`]),
    ...(messageId === undefined ? [] : [sql`d.id >= ${firstIdAt(DateTime.subtract(timeOfId(messageId), clockSkew))}`])
  ]
  return selectPage(sql, request, {
    columns,
    tables: "webhook_deliveries AS d",
    where,
    tests:
      messageId === undefined
        ? undefined
        : {
            where: [
              sql`EXISTS (SELECT FROM events AS e WHERE e.organization_id = ${organization} AND e.id = d.event_id
                AND e.subject_id = ${messageId})`
            ]
          },
    id: "d.id",
    read: deliveryFromRow
  })
}

/** Finds a delivery of an endpoint. */
export const findDelivery = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  endpoint: WebhookEndpointId,
  id: WebhookDeliveryId
) =>
  sql`SELECT ${sql.literal(columns)} FROM webhook_deliveries AS d
    WHERE d.organization_id = ${organization} AND d.endpoint_id = ${endpoint} AND d.id = ${id}`.pipe(
    Effect.map(([row]) => row && deliveryFromRow(row))
  )
