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
import { openHeaders, secretPurpose } from "./delivery/SignedPost.js"
import { makeWebhookSecret } from "./delivery/WebhookSignature.js"
import { anotherSlug, changedEndpoint, type EndpointAuthor, newEndpoint, untried } from "./NewEndpoint.js"
import {
  type StoredWebhookEndpoint,
  type WebhookEndpointFilter,
  WebhookEndpointRepo,
  type WebhookEndpointWithHealth
} from "./WebhookEndpointRepo.js"

/** How long the secret before still signs. */
const previousSecretSigns = "24 hours"

/** How often a slug that is taken is changed: chance won't meet another's so often. */
const slugTries = 4

/** The answer where there is no such endpoint. */
export const noEndpoint = (id: WebhookEndpointId) => new ResourceNotFoundError({ resource: "webhookEndpoint", id })

/** The subscriptions of an organization. */
export class WebhookEndpoints extends Effect.Service<WebhookEndpoints>()("services/WebhookEndpoints", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookEndpointRepo
    const guard = yield* DestinationGuard
    const box = yield* SecretBox

    /** With the headers that its author gave; they are left out where they can't be read any more. */
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
            : Effect.flatMap(anotherSlug(endpoint.slug), (another) => insert(endpoint, secret, another, tries - 1))
        )
      )

    /** Subscribes a URL. The answer alone shows the secret that requests will be signed with. */
    const create = Effect.fn("WebhookEndpoints.create")(function* (
      author: EndpointAuthor,
      request: CreateWebhookEndpoint
    ) {
      yield* checkUrl(request.url)
      const given = yield* newEndpoint(box, author, request)
      const secret = yield* makeWebhookSecret
      const endpoint = yield* insert(given, box.seal(secretPurpose, given.id, secret), given.slug, slugTries)
      return describeEndpoint(endpoint, untried, {
        headers: request.headers,
        secret: Redacted.value(secret)
      })
    })

    const get = Effect.fn("WebhookEndpoints.get")(function* (organization: OrganizationId, id: WebhookEndpointId) {
      const found = yield* repo.find(organization, id)
      if (Option.isNone(found)) return yield* noEndpoint(id)
      return yield* describe(found.value)
    })

    const list = Effect.fn("WebhookEndpoints.list")(function* (
      organization: OrganizationId,
      filter: WebhookEndpointFilter,
      request: PageRequest
    ) {
      const { items, pagination } = yield* repo.list(organization, filter, request)
      return { items: yield* Effect.forEach(items, describe), pagination }
    })

    /** Changes what is given. An endpoint that becomes active again gets at once what is pending for it. */
    const update = Effect.fn("WebhookEndpoints.update")(function* (
      author: EndpointAuthor,
      id: WebhookEndpointId,
      request: UpdateWebhookEndpoint
    ) {
      if (request.url !== undefined) yield* checkUrl(request.url)
      const change = changedEndpoint(box, author, request, yield* DateTime.now)
      if (!(yield* repo.update(author.organizationId, id, change))) return yield* noEndpoint(id)
      return yield* get(author.organizationId, id)
    })

    /** Erases an endpoint, and what was delivered to it. */
    const remove = Effect.fn("WebhookEndpoints.remove")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) {
      if (!(yield* repo.remove(organization, id))) return yield* noEndpoint(id)
    })

    /** A new secret, which is in this answer alone. The one before signs too for a day, none before that. */
    const regenerateSecret = Effect.fn("WebhookEndpoints.regenerateSecret")(function* (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) {
      const secret = yield* makeWebhookSecret
      const until = DateTime.addDuration(yield* DateTime.now, previousSecretSigns)
      const existed = yield* repo.replaceSecret(organization, id, box.seal(secretPurpose, id, secret), until)
      return existed ? { newSecret: Redacted.value(secret) } : yield* noEndpoint(id)
    })

    return { create, get, list, update, remove, regenerateSecret } as const
  })
}) {}
