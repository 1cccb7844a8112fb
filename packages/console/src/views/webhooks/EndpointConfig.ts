import type { Subscription } from "@switchboard/domain/events/EventType"
import type { WebhookEndpoint } from "../../app/Types.js"

/* The fields of an endpoint that are JSON in a string. */

interface EndpointConfig {
  readonly url: string
  readonly events: ReadonlyArray<Subscription>
  readonly headers?: Readonly<Record<string, string>>
  /** In the response of create only. */
  readonly secret?: string
}

interface EndpointMetrics {
  readonly delivered: number
  readonly failed: number
  readonly pending: number
  /** The share of ended deliveries that succeeded, 0 to 1. */
  readonly successRate: number
  readonly averageLatencyMs: number
  /** ISO 8601, UTC. */
  readonly lastSuccessAt?: string
  readonly lastFailureAt?: string
}

interface EndpointRateLimit {
  readonly maxPerSecond?: number
}

export const configOf = ({ config }: WebhookEndpoint): EndpointConfig => JSON.parse(config)
export const metricsOf = ({ metrics }: WebhookEndpoint): EndpointMetrics => JSON.parse(metrics)
export const rateLimitOf = ({ rateLimit }: WebhookEndpoint): EndpointRateLimit => JSON.parse(rateLimit)
