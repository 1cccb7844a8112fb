import { WebhookEndpoint } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { DateTime, Record } from "effect"
import type { StoredWebhookEndpoint, WebhookHealth } from "./WebhookEndpointRepo.js"

/** The decrypted parts of `config` that a response may show. */
export interface EndpointSecrets {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In the response of create only. */
  readonly secret?: string | undefined
}

const instant = (at: DateTime.Utc | null) => (at === null ? undefined : DateTime.formatIso(at))

/** The ratio of succeeded deliveries to finished ones. */
export const successRate = ({ delivered, failed }: Pick<WebhookHealth, "delivered" | "failed">) =>
  delivered + failed === 0 ? 0 : delivered / (delivered + failed)

const metrics = (health: WebhookHealth) =>
  JSON.stringify({
    delivered: health.delivered,
    failed: health.failed,
    pending: health.pending,
    successRate: successRate(health),
    averageLatencyMs: health.averageLatencyMs,
    lastSuccessAt: instant(health.lastSuccessAt),
    lastFailureAt: instant(health.lastFailureAt)
  })

/** The wire form of an endpoint. Events omit the headers, which may hold credentials. */
export const describeEndpoint = (
  stored: StoredWebhookEndpoint,
  health: WebhookHealth,
  { headers = {}, secret }: EndpointSecrets = {}
): WebhookEndpoint =>
  new WebhookEndpoint(
    {
      id: stored.id,
      organizationId: stored.organizationId,
      name: stored.name,
      slug: stored.slug,
      ...(stored.description === null ? {} : { description: stored.description }),
      type: "webhook",
      config: JSON.stringify({
        url: stored.url,
        events: stored.events,
        headers: Record.isEmptyReadonlyRecord(headers) ? undefined : headers,
        secret
      }),
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
