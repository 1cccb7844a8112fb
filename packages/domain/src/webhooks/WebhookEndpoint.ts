import { Schema } from "effect"
import { choice } from "../Choice.js"
import { EventType } from "../events/EventType.js"
import { OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const WebhookEndpointId = Uuid.pipe(Schema.brand("WebhookEndpointId"))
export type WebhookEndpointId = typeof WebhookEndpointId.Type

/** `disabled` is what the service makes of an endpoint that is gone (410), or has failed for five days. */
export const WebhookStatus = choice("active", "paused", "disabled").annotations({ identifier: "WebhookStatus" })
export type WebhookStatus = typeof WebhookStatus.Type

/** JSON in a string: `config`, `filters`, `rateLimit` and `metrics` are written so. */
const JsonText = (description: string, example: unknown) =>
  Schema.String.annotations({
    description: `JSON: ${description}`,
    jsonSchema: { type: "string", contentMediaType: "application/json", examples: [JSON.stringify(example)] }
  })

/** A subscription to events, as its reads show it. */
export class WebhookEndpoint extends Schema.Class<WebhookEndpoint>("WebhookEndpoint")({
  id: WebhookEndpointId,
  organizationId: OrganizationId,
  name: Schema.String,
  slug: Schema.String,
  description: Schema.optional(Schema.String),
  type: Schema.Literal("webhook"),
  config: JsonText("{ url, events, headers?, secret? }, the secret in the answer of create alone", {
    url: "https://example.com/hooks",
    events: ["message.*"]
  }),
  filters: JsonText("{ channels?, tags?, isTest? }", { channels: ["email"] }),
  rateLimit: JsonText("{ maxPerSecond? }", { maxPerSecond: 10 }),
  metrics: JsonText(
    "{ delivered, failed, pending, successRate, averageLatencyMs, lastSuccessAt?, lastFailureAt? }, by delivery",
    { delivered: 0, failed: 0, pending: 0, successRate: 0, averageLatencyMs: 0 }
  ),
  priority: Schema.Int.annotations({ description: "a 32-bit signed integer, for the caller's own order" }),
  status: WebhookStatus,
  testMode: Schema.Boolean.annotations({ description: "whether it hears of test messages alone" }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: Schema.optional(Uuid),
  lastModifiedBy: Schema.optional(Uuid)
}) {}

export const WebhookDeliveryId = Uuid.pipe(Schema.brand("WebhookDeliveryId"))
export type WebhookDeliveryId = typeof WebhookDeliveryId.Type

/** `failed`: the schedule is used up, or the endpoint was disabled; it can still be retried by hand. */
export const WebhookDeliveryStatus = choice("pending", "succeeded", "failed").annotations({
  identifier: "WebhookDeliveryStatus"
})
export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus.Type

/** Why an attempt was made. */
export const WebhookTrigger = choice("scheduled", "manual", "test").annotations({ identifier: "WebhookTrigger" })
export type WebhookTrigger = typeof WebhookTrigger.Type

/** One POST to an endpoint. */
export const WebhookAttempt = Schema.Struct({
  attempt: Schema.Number.annotations({ description: "1 for the first" }),
  trigger: WebhookTrigger,
  at: Timestamp,
  responseStatus: Schema.optional(Schema.Number),
  responseBody: Schema.optional(Schema.String.annotations({ description: "the first 4 KB of the answer" })),
  durationMs: Schema.Number,
  error: Schema.optional(Schema.String)
}).annotations({ identifier: "WebhookAttempt" })
export type WebhookAttempt = typeof WebhookAttempt.Type

/** One event for one endpoint, with every attempt of the last 30 days. */
export class WebhookDelivery extends Schema.Class<WebhookDelivery>("WebhookDelivery")({
  id: WebhookDeliveryId,
  endpointId: WebhookEndpointId,
  eventId: Uuid,
  eventType: EventType,
  status: WebhookDeliveryStatus,
  attempts: Schema.Array(WebhookAttempt),
  nextAttemptAt: Schema.optional(Timestamp),
  createdAt: Timestamp
}) {}

/** How an endpoint's deliveries went. */
export class WebhookStats extends Schema.Class<WebhookStats>("WebhookStats")({
  total: Schema.Number,
  succeeded: Schema.Number,
  failed: Schema.Number,
  pending: Schema.Number,
  successRate: Schema.Number.annotations({ description: "succeeded of those that ended, 0 to 1; 0 without any" }),
  averageLatencyMs: Schema.Number.annotations({ description: "of the attempts that succeeded" }),
  last24Hours: Schema.Number.annotations({ description: "deliveries that began in the last 24 hours" })
}) {}
