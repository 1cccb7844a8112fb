import { randomBytes } from "node:crypto"
import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { CreateWebhookEndpoint, UpdateWebhookEndpoint } from "@switchboard/domain/webhooks/WebhookRequests"
import { type DateTime, Effect, Redacted } from "effect"
import { newId } from "../NewId.js"
import type { SecretBox } from "../SecretBox.js"
import { headersPurpose } from "./delivery/SignedPost.js"
import type { StoredWebhookEndpoint, WebhookHealth } from "./WebhookEndpointRepo.js"

/** Who makes or changes an endpoint: what is stored of them is their key. */
export interface EndpointAuthor {
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
}

/** The health of what was never tried. */
export const untried: WebhookHealth = {
  delivered: 0,
  failed: 0,
  pending: 0,
  averageLatencyMs: 0,
  lastSuccessAt: null,
  lastFailureAt: null
}

const longestSlug = 60

/** A name as a part of a URL may be: what is left of it in plain letters and digits. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longestSlug)
    .replace(/^-+|-+$/g, "") || "webhook"

/** A slug that is taken becomes another one by what chance adds to it. */
export const anotherSlug = (slug: string) => Effect.sync(() => `${slug}-${randomBytes(3).toString("hex")}`)

const sealHeaders = (
  box: typeof SecretBox.Service,
  id: WebhookEndpointId,
  headers: Readonly<Record<string, string>> = {}
) => (Object.keys(headers).length === 0 ? null : box.seal(headersPurpose, id, Redacted.make(JSON.stringify(headers))))

/** An endpoint that nobody has stored yet. */
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

/** What a request makes of an endpoint: whatever it names is replaced as a whole. The slug stays. */
export const changedEndpoint = (
  box: typeof SecretBox.Service,
  { apiKeyId }: EndpointAuthor,
  request: UpdateWebhookEndpoint,
  now: DateTime.Utc
) => {
  const { headers, ...given } = request
  return (before: StoredWebhookEndpoint): StoredWebhookEndpoint => ({
    ...before,
    name: given.name ?? before.name,
    description: given.description ?? before.description,
    url: given.url ?? before.url,
    events: given.events ?? before.events,
    headers: headers === undefined ? before.headers : sealHeaders(box, before.id, headers),
    filters: given.filters ?? before.filters,
    rateLimit: given.rateLimit ?? before.rateLimit,
    priority: given.priority ?? before.priority,
    status: given.status ?? before.status,
    testMode: given.testMode ?? before.testMode,
    updatedAt: now,
    lastModifiedBy: apiKeyId
  })
}
