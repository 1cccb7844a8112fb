import { randomBytes } from "node:crypto"
import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { afterUpdate } from "@switchboard/domain/Fields"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { CreateWebhookEndpoint, UpdateWebhookEndpoint } from "@switchboard/domain/webhooks/WebhookRequests"
import { type DateTime, Effect } from "effect"
import { newId } from "../NewId.js"
import type { SecretBox } from "../SecretBox.js"
import { sealHeaders } from "./delivery/SignedPost.js"
import type { StoredWebhookEndpoint, WebhookHealth } from "./WebhookEndpointRepo.js"

/** The API key that creates or changes an endpoint. */
export interface EndpointAuthor {
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
}

/** The health of an endpoint without deliveries. */
export const noDeliveries: WebhookHealth = {
  delivered: 0,
  failed: 0,
  pending: 0,
  retrying: 0,
  attempts: 0,
  attemptsSucceeded: 0,
  averageLatencyMs: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
  failingSince: null
}

const maxSlugLength = 60

/** The slug of a name: lower-case letters, digits and hyphens. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxSlugLength)
    .replace(/^-+|-+$/g, "") || "webhook"

/** A slug with a random suffix. */
export const randomSlug = (slug: string) => Effect.sync(() => `${slug}-${randomBytes(3).toString("hex")}`)

/** Makes an endpoint that is not stored yet. */
export const newEndpoint = (
  box: typeof SecretBox.Service,
  { apiKeyId, organizationId }: EndpointAuthor,
  request: CreateWebhookEndpoint
) =>
  Effect.map(
    newId(WebhookEndpointId),
    ({ id, now }): StoredWebhookEndpoint => ({
      id,
      organizationId,
      type: "webhook",
      name: request.name,
      slug: slugOf(request.name),
      description: request.description ?? null,
      url: request.url,
      events: request.events,
      headers: sealHeaders(box, id, request.headers),
      filters: request.filters ?? {},
      rateLimit: request.rateLimit ?? {},
      priority: request.priority ?? 0,
      status: request.status ?? "active",
      testMode: request.testMode ?? false,
      createdAt: now,
      updatedAt: now,
      createdBy: apiKeyId,
      lastModifiedBy: apiKeyId
    })
  )

/** Applies an update to an endpoint. A field of the request replaces the earlier value completely; the slug stays. */
export const changedEndpoint = (
  box: typeof SecretBox.Service,
  { apiKeyId }: EndpointAuthor,
  request: UpdateWebhookEndpoint,
  now: DateTime.Utc
) => {
  const { headers, ...changes } = request
  return (before: StoredWebhookEndpoint): StoredWebhookEndpoint => ({
    ...before,
    name: changes.name ?? before.name,
    description: afterUpdate(changes.description, before.description, null),
    url: changes.url ?? before.url,
    events: changes.events ?? before.events,
    headers: headers === undefined ? before.headers : sealHeaders(box, before.id, headers),
    filters: afterUpdate(changes.filters, before.filters, {}),
    rateLimit: afterUpdate(changes.rateLimit, before.rateLimit, {}),
    priority: afterUpdate(changes.priority, before.priority, 0),
    status: changes.status ?? before.status,
    testMode: afterUpdate(changes.testMode, before.testMode, false),
    updatedAt: now,
    lastModifiedBy: apiKeyId
  })
}
