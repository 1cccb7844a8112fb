import { SqlClient } from "@effect/sql"
import { ConflictError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  type WebhookDelivery,
  type WebhookEndpointId,
  WebhookStats
} from "@switchboard/domain/webhooks/WebhookEndpoint"
import { successRate } from "@switchboard/services/webhooks/DescribeEndpoint"
import { secretPurpose } from "@switchboard/services/webhooks/delivery/SignedPost"
import { WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { forRequest, orUnavailable, retryConflicts, violates } from "../database/Unavailable.js"
import { containsText } from "../Filters.js"
import { firstIdAt } from "../FirstIdAt.js"
import { withCreationKey } from "../idempotency/StoreCreationKey.js"
import { replaceSecret } from "../installation/Secrets.js"
import { selectPage } from "../Lists.js"
import { changeEndpoint, insertEndpoint, removeEndpoint } from "./ChangeEndpoint.js"
import { recoverDeliveries } from "./RecoverDeliveries.js"
import { retryDelivery } from "./RetryDelivery.js"
import { attemptColumns, attemptRecord, attemptTypes, findDelivery, listDeliveries } from "./WebhookDeliveryRows.js"
import {
  endpointColumns,
  endpointTables,
  endpointWithHealthFromRow,
  failingEndpointFromRow,
  healthColumns,
  signingSecrets
} from "./WebhookEndpointRows.js"

/** Stores a test delivery with its body and its attempts, unless the endpoint was removed. */
const insertTestDelivery = (sql: SqlClient.SqlClient, organization: OrganizationId, delivery: WebhookDelivery) => {
  const attempts = delivery.attempts.map((attempt) => ({
    attempt: attempt.attempt,
    trigger: attempt.trigger,
    ...attemptRecord(attempt)
  }))
  return sql`WITH stored AS (
      INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, trigger, attempts,
        created_at)
      SELECT w.organization_id, ${delivery.id}, w.id, ${delivery.eventId}, ${delivery.eventType}, ${delivery.status},
        'test', ${attempts.length}, ${DateTime.toDateUtc(delivery.createdAt)}
      FROM webhook_endpoints AS w WHERE w.organization_id = ${organization} AND w.id = ${delivery.endpointId}
      RETURNING organization_id, id
    ), bodies AS (
      INSERT INTO webhook_bodies (organization_id, delivery_id, body)
      SELECT s.organization_id, s.id, ${delivery.requestBody ?? null} FROM stored AS s
      WHERE ${delivery.requestBody ?? null}::text IS NOT NULL
    )
    INSERT INTO webhook_attempts (organization_id, delivery_id, attempt, trigger, ${sql.literal(attemptColumns)})
    SELECT s.organization_id, s.id, a.attempt, a.trigger, ${sql.literal(attemptColumns)}
    FROM stored AS s, json_to_recordset(${JSON.stringify(attempts)}::json) AS a(attempt int, trigger text,
      ${sql.literal(attemptTypes)})`
}

/** Endpoints in the table `webhook_endpoints` and related tables. */
export const WebhookEndpointRepoSql = Layer.effect(
  WebhookEndpointRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = `${endpointColumns}, ${healthColumns}`

    const find = (organization: OrganizationId, id: WebhookEndpointId) =>
      Effect.map(
        sql`SELECT ${sql.literal(columns)} FROM ${sql.literal(endpointTables)}
          WHERE w.organization_id = ${organization} AND w.id = ${id}`,
        ([row]) => Option.map(Option.fromNullable(row), endpointWithHealthFromRow)
      )

    return {
      insert: (endpoint, secret) =>
        insertEndpoint(sql, endpoint, secret).pipe(
          Effect.mapError((error) =>
            violates(error, "webhook_endpoints_slug_key")
              ? new ConflictError({ message: `The slug ${endpoint.slug} is taken`, resource: "webhookEndpoint" })
              : error
          ),
          sql.withTransaction,
          withCreationKey(sql, () => endpoint.id),
          Effect.asVoid,
          forRequest
        ),
      find: (organization, id) => forRequest(find(organization, id)),
      list: (organization, { search, status }, request) =>
        Effect.gen(function* () {
          const where = [
            sql`w.organization_id = ${organization}`,
            ...(status === undefined ? [] : [sql`w.status = ${status}`]),
            ...(search === undefined ? [] : [containsText(sql, search, ["w.name", "w.description", "w.url"])])
          ]
          return yield* selectPage(sql, request, {
            columns,
            tables: endpointTables,
            where,
            id: "w.id",
            read: endpointWithHealthFromRow
          })
        }).pipe(forRequest),
      update: (organization, id, change) =>
        changeEndpoint(sql, organization, id, change).pipe(sql.withTransaction, retryConflicts, forRequest),
      remove: (organization, id) => forRequest(retryConflicts(removeEndpoint(sql, organization, id))),
      replaceSecret: (organization, id, secret, previousUntil) =>
        Effect.gen(function* () {
          const changed = yield* sql`UPDATE webhook_endpoints SET updated_at = now()
            WHERE organization_id = ${organization} AND id = ${id} RETURNING 1`
          if (changed.length === 0) return false
          yield* replaceSecret(sql, organization, secretPurpose, id, secret, previousUntil)
          return true
        }).pipe(sql.withTransaction, forRequest),
      secrets: (organization, id) =>
        sql<{ readonly secrets: ReadonlyArray<Uint8Array> }>`SELECT ${sql.literal(signingSecrets)} AS secrets
          FROM webhook_endpoints AS w WHERE w.organization_id = ${organization} AND w.id = ${id}`.pipe(
          Effect.map(([row]) => row?.secrets ?? []),
          forRequest
        ),
      failing: (disabledSince, limit) =>
        sql`SELECT organization_id AS "organizationId", id, name, is_disabled AS "isDisabled", since,
            count(*) OVER ()::float8 AS total
          FROM (
            SELECT w.organization_id, w.id, w.name, w.status = 'disabled' AS is_disabled,
              CASE w.status WHEN 'disabled' THEN w.updated_at ELSE h.failing_since END AS since
            FROM ${sql.literal(endpointTables)}
            WHERE w.status = 'active' AND h.failing_since IS NOT NULL
              OR w.status = 'disabled' AND w.updated_at >= ${DateTime.toDateUtc(disabledSince)}
          ) AS f ORDER BY since, id LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(failingEndpointFromRow)),
          Effect.map((rows) => ({ total: rows[0]?.total ?? 0, first: rows })),
          orUnavailable
        ),
      deliveries: (organization, id, filter, request) =>
        forRequest(listDeliveries(sql, organization, id, filter, request)),
      findDelivery: (organization, id, delivery) =>
        forRequest(Effect.map(findDelivery(sql, organization, id, delivery), Option.fromNullable)),
      stats: (organization, id) =>
        Effect.gen(function* () {
          const now = yield* DateTime.now
          const since = firstIdAt(DateTime.subtract(now, { hours: 24 }))
          const endpoint = yield* find(organization, id)
          const [recent] = yield* sql<{ count: number }>`SELECT count(*)::float8 AS count FROM webhook_deliveries
            WHERE organization_id = ${organization} AND endpoint_id = ${id} AND id >= ${since} AND trigger <> 'test'`
          return Option.map(endpoint, ({ health }) => {
            const { attempts, averageLatencyMs, delivered: succeeded, failed, pending, retrying } = health
            const total = succeeded + failed + pending + retrying
            return new WebhookStats(
              {
                total,
                succeeded,
                failed,
                pending,
                retrying,
                attempts,
                successRate: successRate(health),
                averageLatencyMs,
                last24Hours: recent?.count ?? 0
              },
              { disableValidation: true }
            )
          })
        }).pipe(forRequest),
      insertTest: (organization, delivery) =>
        forRequest(Effect.asVoid(insertTestDelivery(sql, organization, delivery))),
      retry: (organization, id, delivery) =>
        retryDelivery(sql, organization, id, delivery).pipe(sql.withTransaction, retryConflicts, forRequest),
      recover: (organization, id, since) =>
        recoverDeliveries(sql, organization, id, since).pipe(sql.withTransaction, retryConflicts, forRequest)
    }
  })
)
