import { Schema } from "effect"
import { EventType } from "../events/EventType.js"
import { choice } from "../Fields.js"
import { OrganizationId } from "../organizations/Organization.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const WebhookEndpointId = Uuid.pipe(Schema.brand("WebhookEndpointId"))
export type WebhookEndpointId = typeof WebhookEndpointId.Type

/** `disabled`: the service disabled the endpoint, since it is gone (410) or has failed for five days. */
export const WebhookStatus = choice("active", "paused", "disabled").annotations({ identifier: "WebhookStatus" })
export type WebhookStatus = typeof WebhookStatus.Type

/** `voice_agent`: the webhook of the voice agent with the same id, which receives the events of the agent's calls. */
export const WebhookEndpointType = choice("webhook", "voice_agent").annotations({ identifier: "WebhookEndpointType" })
export type WebhookEndpointType = typeof WebhookEndpointType.Type

/** JSON in a string, for `config`, `filters`, `rateLimit` and `metrics`. */
const JsonText = (description: string, example: unknown) =>
  Schema.String.annotations({
    description: `JSON: ${description}`,
    jsonSchema: { type: "string", contentMediaType: "application/json", examples: [JSON.stringify(example)] }
  })

/** The settings of an endpoint that `config` has as JSON. */
export const WebhookConfiguration = Schema.Struct({
  url: Schema.String,
  events: Schema.Array(Schema.String),
  headers: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
  secret: Schema.optional(Schema.String)
}).annotations({ identifier: "WebhookConfiguration" })
export type WebhookConfiguration = typeof WebhookConfiguration.Type

/** A webhook endpoint. */
export class WebhookEndpoint extends Schema.Class<WebhookEndpoint>("WebhookEndpoint")({
  id: WebhookEndpointId,
  organizationId: OrganizationId,
  name: Schema.String,
  slug: Schema.String,
  description: Schema.optional(Schema.String),
  type: WebhookEndpointType.annotations({
    description:
      "`voice_agent` is the webhook of the voice agent with the same id: it receives the events of the agent's calls, and its name, URL, events and headers are changed with the agent; an extension"
  }),
  config: JsonText("{ url, events, headers?, secret? }, the secret only in the response of create", {
    url: "https://example.com/hooks",
    events: ["message.*"]
  }),
  configuration: WebhookConfiguration,
  filters: JsonText("{ channels?, tags?, isTest? }", { channels: ["email"] }),
  rateLimit: JsonText("{ maxPerSecond? }", { maxPerSecond: 10 }),
  metrics: JsonText(
    "{ delivered, failed, pending, retrying, attempts, successRate, averageLatencyMs, lastSuccessAt?, lastFailureAt?, failingSince? }",
    { delivered: 0, failed: 0, pending: 0, retrying: 0, attempts: 0, successRate: 0, averageLatencyMs: 0 }
  ),
  priority: Schema.Int.annotations({ description: "a 32-bit signed integer, for the caller's sorting" }),
  status: WebhookStatus,
  testMode: Schema.Boolean.annotations({ description: "whether it receives only events of test messages" }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: Schema.optional(Uuid),
  lastModifiedBy: Schema.optional(Uuid)
}) {}

export const WebhookDeliveryId = Uuid.pipe(Schema.brand("WebhookDeliveryId"))
export type WebhookDeliveryId = typeof WebhookDeliveryId.Type

/**
 * `retrying`: an attempt failed and another one follows; `failed`: no retry is left, or the endpoint was disabled; it can
 * be retried manually.
 */
export const WebhookDeliveryStatus = choice("pending", "retrying", "succeeded", "failed").annotations({
  identifier: "WebhookDeliveryStatus"
})
export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus.Type

/** The reason of an attempt. */
export const WebhookTrigger = choice("scheduled", "manual", "test").annotations({ identifier: "WebhookTrigger" })
export type WebhookTrigger = typeof WebhookTrigger.Type

const LoggedHeaders = Schema.Record({ key: Schema.String, value: Schema.String })

/** One POST to an endpoint. */
export const WebhookAttempt = Schema.Struct({
  attempt: Schema.Number.annotations({ description: "the number of the attempt, from 1" }),
  trigger: WebhookTrigger,
  at: Timestamp,
  requestHeaders: Schema.optional(LoggedHeaders),
  responseStatus: Schema.optional(Schema.Number),
  responseHeaders: Schema.optional(LoggedHeaders),
  responseBody: Schema.optional(Schema.String.annotations({ description: "the first 4 KB of the response" })),
  durationMs: Schema.Number,
  error: Schema.optional(Schema.String)
}).annotations({ identifier: "WebhookAttempt" })
export type WebhookAttempt = typeof WebhookAttempt.Type

/** The delivery of one event to one endpoint, with the attempts of the last 30 days. */
export class WebhookDelivery extends Schema.Class<WebhookDelivery>("WebhookDelivery")({
  id: WebhookDeliveryId,
  endpointId: WebhookEndpointId,
  eventId: Uuid,
  eventType: EventType,
  status: WebhookDeliveryStatus,
  requestBody: Schema.optional(Schema.String),
  attempts: Schema.Array(WebhookAttempt),
  nextAttemptAt: Schema.optional(Timestamp),
  createdAt: Timestamp
}) {}

/** The counters of an endpoint's deliveries. */
export class WebhookStats extends Schema.Class<WebhookStats>("WebhookStats")({
  total: Schema.Number,
  succeeded: Schema.Number,
  failed: Schema.Number,
  pending: Schema.Number,
  retrying: Schema.Number,
  attempts: Schema.Number,
  successRate: Schema.Number.annotations({
    description: "the share of attempts that succeeded, 0 to 1; 0 without any"
  }),
  averageLatencyMs: Schema.Number.annotations({ description: "the average duration of successful attempts" }),
  last24Hours: Schema.Number.annotations({ description: "deliveries that began in the last 24 hours" })
}) {}
