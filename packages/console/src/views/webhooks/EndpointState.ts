import type { WebhookEndpoint } from "../../app/Types.js"

/* The fields of an endpoint that are JSON in a string. */

interface EndpointMetrics {
  readonly delivered: number
  readonly failed: number
  readonly pending: number
  readonly retrying: number
  readonly attempts: number
  /** The share of attempts that succeeded, 0 to 1. */
  readonly successRate: number
  readonly averageLatencyMs: number
  /** ISO 8601, UTC. */
  readonly lastSuccessAt?: string
  readonly lastFailureAt?: string
  /** Since when every attempt failed. */
  readonly failingSince?: string
}

interface EndpointRateLimit {
  readonly maxPerSecond?: number
}

export const metricsOf = ({ metrics }: WebhookEndpoint): EndpointMetrics => JSON.parse(metrics)
export const rateLimitOf = ({ rateLimit }: WebhookEndpoint): EndpointRateLimit => JSON.parse(rateLimit)

/** The status to show: `failing` while every attempt to an active endpoint fails. */
export const shownStatus = (endpoint: WebhookEndpoint) =>
  endpoint.status === "active" && metricsOf(endpoint).failingSince !== undefined ? "failing" : endpoint.status
