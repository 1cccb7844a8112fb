import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { WebhookEndpointId, WebhookEndpointType, WebhookStatus } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { WebhookFilters, WebhookRateLimit } from "@switchboard/domain/webhooks/WebhookRequests"
import { headersPurpose, secretPurpose } from "@switchboard/services/webhooks/delivery/SignedPost"
import type {
  StoredWebhookEndpoint,
  WebhookEndpointWithHealth
} from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { Schema } from "effect"
import { secretOf, secretsOf } from "../installation/Secrets.js"
import { isRetrying } from "./WebhookDeliveryRows.js"

const Instant = Schema.DateTimeUtcFromDate

const Endpoint = Schema.Struct({
  id: WebhookEndpointId,
  organizationId: OrganizationId,
  type: WebhookEndpointType,
  name: Schema.String,
  slug: Schema.String,
  description: Schema.NullOr(Schema.String),
  url: Schema.String,
  events: Schema.Array(Schema.String),
  headers: Schema.NullOr(Schema.Uint8ArrayFromSelf),
  filters: WebhookFilters,
  rateLimit: WebhookRateLimit,
  priority: Schema.Number,
  status: WebhookStatus,
  testMode: Schema.Boolean,
  createdAt: Instant,
  updatedAt: Instant,
  createdBy: Schema.NullOr(Schema.String),
  lastModifiedBy: Schema.NullOr(Schema.String)
})

const Health = Schema.Struct({
  delivered: Schema.Number,
  failed: Schema.Number,
  pending: Schema.Number,
  retrying: Schema.Number,
  attempts: Schema.Number,
  attemptsSucceeded: Schema.Number,
  averageLatencyMs: Schema.Number,
  lastSuccessAt: Schema.NullOr(Instant),
  lastFailureAt: Schema.NullOr(Instant),
  failingSince: Schema.NullOr(Instant)
})

const FailingEndpoint = Schema.Struct({
  organizationId: OrganizationId,
  id: WebhookEndpointId,
  name: Schema.String,
  isDisabled: Schema.Boolean,
  since: Instant,
  total: Schema.Number
})

const decodeFailing = Schema.decodeUnknownSync(FailingEndpoint)
const decodeEndpoint = Schema.decodeUnknownSync(Endpoint)
const decodeHealth = Schema.decodeUnknownSync(Health)

/** The encrypted headers of `webhook_endpoints AS w`. */
export const endpointHeaders = secretOf("w.organization_id", "w.id::text", headersPurpose)

/** The columns of `webhook_endpoints AS w` for `endpointFromRow`. */
export const endpointColumns = `w.id, w.organization_id AS "organizationId", w.type, w.name, w.slug, w.description, w.url,
  w.events, ${endpointHeaders} AS headers, w.filters, w.rate_limit AS "rateLimit", w.priority, w.status,
  w.test_mode AS "testMode", w.created_at AS "createdAt", w.updated_at AS "updatedAt", w.created_by AS "createdBy",
  w.last_modified_by AS "lastModifiedBy"`

/** The encrypted secrets of `webhook_endpoints AS w` that sign now, newest first. */
export const signingSecrets = secretsOf("w.organization_id", "w.id::text", secretPurpose)

/** SQL: the number of an endpoint's deliveries that have not ended. */
const unendedCount = (condition: string) => `(SELECT count(*)::float8 FROM webhook_deliveries AS d
    WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.status = 'pending' AND ${condition})`

/**
 * The columns of `webhook_endpoint_health AS h`. Deliveries that have not ended are counted on reading, since their
 * number always changes.
 */
export const healthColumns = `h.delivered::float8 AS delivered, h.failed::float8 AS failed,
  ${unendedCount(`NOT (${isRetrying})`)} AS pending, ${unendedCount(isRetrying)} AS retrying,
  (h.attempts_succeeded + h.attempts_failed)::float8 AS attempts, h.attempts_succeeded::float8 AS "attemptsSucceeded",
  COALESCE(round(h.latency_ms_sum / nullif(h.attempts_succeeded, 0)::numeric), 0)::float8 AS "averageLatencyMs",
  h.last_success_at AS "lastSuccessAt", h.last_failure_at AS "lastFailureAt",
  h.failing_since AS "failingSince"`

/** `webhook_endpoints AS w` with their health `AS h`. */
export const endpointTables = `webhook_endpoints AS w JOIN webhook_endpoint_health AS h
  ON h.organization_id = w.organization_id AND h.endpoint_id = w.id`

/** Decodes an endpoint. */
export const endpointFromRow = (row: object): StoredWebhookEndpoint => decodeEndpoint(row)

/** Decodes a failing endpoint and the number of all. */
export const failingEndpointFromRow = (row: object) => decodeFailing(row)

/** Decodes an endpoint with its health. */
export const endpointWithHealthFromRow = (row: object): WebhookEndpointWithHealth => ({
  endpoint: decodeEndpoint(row),
  health: decodeHealth(row)
})
