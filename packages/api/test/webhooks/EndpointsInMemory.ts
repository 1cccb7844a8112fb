import { guardLayer } from "@switchboard/channels/testing/network/Guards"
import { loopbackOpen } from "@switchboard/channels/testing/webhooks/Posting"
import { WebhookHttp } from "@switchboard/channels/webhooks/WebhookHttp"
import { ConflictError } from "@switchboard/domain/Errors"
import { page } from "@switchboard/domain/Page"
import { type WebhookDelivery, WebhookStats } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { SecretBox } from "@switchboard/services/SecretBox"
import { MasterKey } from "@switchboard/services/Signatures"
import { EndpointDeliveries } from "@switchboard/services/webhooks/EndpointDeliveries"
import { untried } from "@switchboard/services/webhooks/NewEndpoint"
import { type StoredWebhookEndpoint, WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { WebhookEndpoints } from "@switchboard/services/webhooks/WebhookEndpoints"
import { WebhookTests } from "@switchboard/services/webhooks/WebhookTests"
import { Effect, Layer, Option, Redacted } from "effect"

interface Row {
  readonly endpoint: StoredWebhookEndpoint
  readonly secrets: ReadonlyArray<Uint8Array>
  readonly deliveries: ReadonlyArray<WebhookDelivery>
}

/** Endpoints without a database or a worker: nothing is delivered but tests, which are posted for real, to loopback. */
export const endpointsInMemory = () => {
  const rows = new Map<string, Row>()
  const key = (...ids: ReadonlyArray<string>) => ids.join(" ")
  const change = (of: string, next: (row: Row) => Row) =>
    Effect.sync(() => {
      const row = rows.get(of)
      if (row !== undefined) rows.set(of, next(row))
      return row !== undefined
    })

  const Repo = Layer.mock(WebhookEndpointRepo, {
    insert: (endpoint, secret) =>
      Effect.suspend(() => {
        const isTaken = [...rows.values()].some((row) => row.endpoint.slug === endpoint.slug)
        if (isTaken) return new ConflictError({ message: "The slug is taken", resource: "webhookEndpoint" })
        rows.set(key(endpoint.organizationId, endpoint.id), { endpoint, secrets: [secret], deliveries: [] })
        return Effect.void
      }),
    find: (organization, id) =>
      Effect.sync(() =>
        Option.map(Option.fromNullable(rows.get(key(organization, id))), ({ endpoint }) => ({
          endpoint,
          health: untried
        }))
      ),
    list: (organization, { search = "", status }, request) =>
      Effect.sync(() => {
        const found = [...rows.values()].filter(
          ({ endpoint }) =>
            endpoint.organizationId === organization &&
            endpoint.name.includes(search) &&
            (status === undefined || endpoint.status === status)
        )
        return page(
          found.map(({ endpoint }) => ({ endpoint, health: untried })),
          found.length,
          request
        )
      }),
    update: (organization, id, next) =>
      change(key(organization, id), (row) => ({ ...row, endpoint: next(row.endpoint) })),
    remove: (organization, id) => Effect.sync(() => rows.delete(key(organization, id))),
    replaceSecret: (organization, id, secret) =>
      change(key(organization, id), (row) => ({ ...row, secrets: [secret, ...row.secrets.slice(0, 1)] })),
    secrets: (organization, id) => Effect.sync(() => rows.get(key(organization, id))?.secrets ?? []),
    deliveries: (organization, id, { event, status }, request) =>
      Effect.sync(() => {
        const found = (rows.get(key(organization, id))?.deliveries ?? []).filter(
          (one) => (event ?? one.eventType) === one.eventType && (status ?? one.status) === one.status
        )
        return page(found, found.length, request)
      }),
    findDelivery: (organization, id, delivery) =>
      Effect.sync(() =>
        Option.fromNullable(rows.get(key(organization, id))?.deliveries.find((one) => one.id === delivery))
      ),
    stats: (organization, id) =>
      Effect.sync(() =>
        Option.map(
          Option.fromNullable(rows.get(key(organization, id))),
          () =>
            new WebhookStats({
              total: 0,
              succeeded: 0,
              failed: 0,
              pending: 0,
              successRate: 0,
              averageLatencyMs: 0,
              last24Hours: 0
            })
        )
      ),
    insertTest: (organization, delivery) =>
      Effect.asVoid(
        change(key(organization, delivery.endpointId), (row) => ({
          ...row,
          deliveries: [delivery, ...row.deliveries]
        }))
      ),
    // Only tests are ever delivered here.
    retry: (organization, id, delivery) =>
      Effect.sync(() =>
        rows.get(key(organization, id))?.deliveries.some((one) => one.id === delivery) ? "test" : "missing"
      ),
    recover: (organization, id) =>
      Effect.sync(() =>
        rows.get(key(organization, id))?.endpoint.status === "active" ? Option.some(0) : Option.none()
      )
  })

  return Layer.mergeAll(WebhookEndpoints.Default, EndpointDeliveries.Default, WebhookTests.Default).pipe(
    Layer.provide(Repo),
    Layer.provide(WebhookHttp),
    Layer.provide(guardLayer(loopbackOpen)),
    Layer.provide(SecretBox.Live),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7))))
  )
}
