import {
  ConflictError,
  ResourceNotFoundError,
  type ServiceUnavailableError,
  ValidationError
} from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import type { WebhookEndpoint, WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { CreateWebhookEndpoint, UpdateWebhookEndpoint } from "@switchboard/domain/webhooks/WebhookRequests"
import { DateTime, Effect, Option, Redacted } from "effect"
import { DestinationGuard } from "../network/DestinationGuard.js"
import { SecretBox } from "../SecretBox.js"
import { describeEndpoint } from "./DescribeEndpoint.js"
import { hideHeaders, makeWebhookSecret, readableHeaders, secretPurpose } from "./delivery/SignedPost.js"
import { changedEndpoint, type EndpointAuthor, newEndpoint, noDeliveries, randomSlug } from "./NewEndpoint.js"
import {
  type StoredWebhookEndpoint,
  type WebhookEndpointFilter,
  WebhookEndpointRepo,
  type WebhookEndpointWithHealth
} from "./WebhookEndpointRepo.js"

/** How long a replaced secret also signs. */
const secretOverlap = "24 hours"

/** The maximum number of attempts to find an unused slug. */
const maxSlugRetries = 4

/** The error for an endpoint that does not exist. */
export const endpointNotFound = (id: WebhookEndpointId) =>
  new ResourceNotFoundError({ resource: "webhookEndpoint", id })

/** The error for a change that is made with the agent. */
const ownedByAgent = new ConflictError({
  message: "This is the webhook of a voice agent: change the webhookConfig of the agent",
  resource: "webhookEndpoint"
})

/** The fields that an update of an agent's webhook may have. */
const ownFields: ReadonlySet<string> = new Set(["status", "description", "priority", "rateLimit"])

/** The webhook endpoints of an organization. */
export class WebhookEndpoints extends Effect.Service<WebhookEndpoints>()("services/WebhookEndpoints", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookEndpointRepo
    const guard = yield* DestinationGuard
    const box = yield* SecretBox

    /** With its headers; with their names alone for the webhook of a voice agent, which `VoiceAgents` shows. */
    const describe = ({ endpoint, health }: WebhookEndpointWithHealth): Effect.Effect<WebhookEndpoint> =>
      Effect.map(readableHeaders(box, endpoint.id, endpoint.headers), (headers) =>
        describeEndpoint(endpoint, health, {
          headers: endpoint.type === "voice_agent" ? hideHeaders(headers) : headers
        })
      )

    const checkUrl = (url: string) =>
      Effect.mapError(
        guard.checkUrl(url),
        ({ message }) => new ValidationError({ message: "The request body is invalid", fields: { url: [message] } })
      )

    const insert = (
      endpoint: StoredWebhookEndpoint,
      secret: Uint8Array,
      slug: string,
      tries: number
    ): Effect.Effect<StoredWebhookEndpoint, ConflictError | ServiceUnavailableError> =>
      repo.insert({ ...endpoint, slug }, secret).pipe(
        Effect.as({ ...endpoint, slug }),
        Effect.catchTag("ConflictError", (conflict) =>
          tries === 0
            ? conflict
            : Effect.flatMap(randomSlug(endpoint.slug), (another) => insert(endpoint, secret, another, tries - 1))
        )
      )

    /** Creates an endpoint. Its secret is in this response only. */
    const create = Effect.fn("WebhookEndpoints.create")(function* (
      author: EndpointAuthor,
      request: CreateWebhookEndpoint
    ) {
      yield* checkUrl(request.url)
      const prepared = yield* newEndpoint(box, author, request)
      const secret = yield* makeWebhookSecret
      const endpoint = yield* insert(
        prepared,
        box.seal(secretPurpose, prepared.id, secret),
        prepared.slug,
        maxSlugRetries
      )
      return describeEndpoint(endpoint, noDeliveries, {
        headers: request.headers,
        secret: Redacted.value(secret)
      })
    })

    const get = Effect.fn("WebhookEndpoints.get")(function* (organization: OrganizationId, id: WebhookEndpointId) {
      const found = yield* repo.find(organization, id)
      if (Option.isNone(found)) return yield* endpointNotFound(id)
      return yield* describe(found.value)
    })

    const list = Effect.fn("WebhookEndpoints.list")(function* (
      organization: OrganizationId,
      filter: WebhookEndpointFilter,
      request: PageRequest
    ) {
      const { items, ...rest } = yield* repo.list(organization, filter, request)
      return { ...rest, items: yield* Effect.forEach(items, describe) }
    })

    const ownedByOrganization = Effect.fnUntraced(function* (organization: OrganizationId, id: WebhookEndpointId) {
      const found = yield* Effect.mapError(yield* repo.find(organization, id), () => endpointNotFound(id))
      if (found.endpoint.type === "voice_agent") return yield* ownedByAgent
    })

    /**
     * Changes the given fields. Activating an endpoint makes its pending deliveries ready. Name, URL, events and headers
     * of an agent's webhook are changed with the agent.
     */
    const update = Effect.fn("WebhookEndpoints.update")(function* (
      author: EndpointAuthor,
      id: WebhookEndpointId,
      request: UpdateWebhookEndpoint
    ) {
      if (Object.keys(request).some((field) => !ownFields.has(field))) {
        yield* ownedByOrganization(author.organizationId, id)
      }
      if (request.url !== undefined) yield* checkUrl(request.url)
      const change = changedEndpoint(box, author, request, yield* DateTime.now)
      if (!(yield* repo.update(author.organizationId, id, change))) return yield* endpointNotFound(id)
      return yield* get(author.organizationId, id)
    })

    /** Deletes an endpoint with its deliveries. The webhook of an agent is removed with the agent. */
    const remove = Effect.fn("WebhookEndpoints.remove")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) {
      yield* ownedByOrganization(organization, id)
      if (!(yield* repo.remove(organization, id))) return yield* endpointNotFound(id)
    })

    /** Replaces the secret. The new one is in this response only; each replaced one also signs for a day. */
    const regenerateSecret = Effect.fn("WebhookEndpoints.regenerateSecret")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) {
      const secret = yield* makeWebhookSecret
      const until = DateTime.addDuration(yield* DateTime.now, secretOverlap)
      const existed = yield* repo.replaceSecret(organization, id, box.seal(secretPurpose, id, secret), until)
      return existed ? { newSecret: Redacted.value(secret) } : yield* endpointNotFound(id)
    })

    return { create, get, list, update, remove, regenerateSecret } as const
  })
}) {}
