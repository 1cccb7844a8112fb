import {
  type ConflictError,
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
import { makeWebhookSecret, openHeaders, secretPurpose } from "./delivery/SignedPost.js"
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

/** The webhook endpoints of an organization. */
export class WebhookEndpoints extends Effect.Service<WebhookEndpoints>()("services/WebhookEndpoints", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookEndpointRepo
    const guard = yield* DestinationGuard
    const box = yield* SecretBox

    /** With its headers. Headers that can't be decrypted are omitted and logged. */
    const describe = ({ endpoint, health }: WebhookEndpointWithHealth): Effect.Effect<WebhookEndpoint> =>
      openHeaders(box, endpoint.id, endpoint.headers).pipe(
        Effect.catchTag("SecretUnreadable", ({ message }) =>
          Effect.as(
            Effect.annotateLogs(
              Effect.logWarning(`The headers of a webhook endpoint: ${message}`),
              "endpointId",
              endpoint.id
            ),
            {}
          )
        ),
        Effect.map((headers) => describeEndpoint(endpoint, health, { headers }))
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

    /** Changes the given fields. Activating an endpoint makes its pending deliveries ready. */
    const update = Effect.fn("WebhookEndpoints.update")(function* (
      author: EndpointAuthor,
      id: WebhookEndpointId,
      request: UpdateWebhookEndpoint
    ) {
      if (request.url !== undefined) yield* checkUrl(request.url)
      const change = changedEndpoint(box, author, request, yield* DateTime.now)
      if (!(yield* repo.update(author.organizationId, id, change))) return yield* endpointNotFound(id)
      return yield* get(author.organizationId, id)
    })

    /** Deletes an endpoint with its deliveries. */
    const remove = Effect.fn("WebhookEndpoints.remove")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) {
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
