import { type WebhookConfiguration, WebhookEndpoint } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { DateTime, type Effect, Record } from "effect"
import { type NewEvent, newEvent } from "../events/NewEvent.js"
import type { StoredWebhookEndpoint, WebhookEndpointWithHealth, WebhookHealth } from "./WebhookEndpointRepo.js"

/** The decrypted parts of `config` that a response may show. */
export interface EndpointSecrets {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In the response of create only. */
  readonly secret?: string | undefined
}

const instant = (at: DateTime.Utc | null) => (at === null ? undefined : DateTime.formatIso(at))

/** The share of attempts that succeeded; 0 without attempts. */
export const successRate = ({ attempts, attemptsSucceeded }: Pick<WebhookHealth, "attempts" | "attemptsSucceeded">) =>
  attempts === 0 ? 0 : attemptsSucceeded / attempts

const metrics = (health: WebhookHealth) =>
  JSON.stringify({
    delivered: health.delivered,
    failed: health.failed,
    pending: health.pending,
    retrying: health.retrying,
    attempts: health.attempts,
    successRate: successRate(health),
    averageLatencyMs: health.averageLatencyMs,
    lastSuccessAt: instant(health.lastSuccessAt),
    lastFailureAt: instant(health.lastFailureAt),
    failingSince: instant(health.failingSince)
  })

/** The wire form of an endpoint. Events omit the headers, which may hold credentials. */
export const describeEndpoint = (
  stored: StoredWebhookEndpoint,
  health: WebhookHealth,
  { headers = {}, secret }: EndpointSecrets = {}
): WebhookEndpoint => {
  const configuration: WebhookConfiguration = {
    url: stored.url,
    events: stored.events,
    ...(Record.isEmptyReadonlyRecord(headers) ? {} : { headers }),
    ...(secret === undefined ? {} : { secret })
  }
  return new WebhookEndpoint(
    {
      id: stored.id,
      organizationId: stored.organizationId,
      name: stored.name,
      slug: stored.slug,
      ...(stored.description === null ? {} : { description: stored.description }),
      type: stored.type,
      config: JSON.stringify(configuration),
      configuration,
      filters: JSON.stringify(stored.filters),
      rateLimit: JSON.stringify(stored.rateLimit),
      metrics: metrics(health),
      priority: stored.priority,
      status: stored.status,
      testMode: stored.testMode,
      createdAt: stored.createdAt,
      updatedAt: stored.updatedAt,
      ...(stored.createdBy === null ? {} : { createdBy: stored.createdBy }),
      ...(stored.lastModifiedBy === null ? {} : { lastModifiedBy: stored.lastModifiedBy })
    },
    { disableValidation: true }
  )
}

/** The event of a disabled endpoint, for the organization's other endpoints. */
export const endpointDisabled = ({ endpoint, health }: WebhookEndpointWithHealth): Effect.Effect<NewEvent> =>
  newEvent("webhook_endpoint.disabled", endpoint.organizationId, endpoint.id, describeEndpoint(endpoint, health))
