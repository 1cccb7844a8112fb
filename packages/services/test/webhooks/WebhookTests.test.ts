import { assert, describe, it } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { WebhookDelivery } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { MasterKey, SecretBox } from "@switchboard/services/SecretBox"
import {
  type WebhookPost,
  WebhookResponse,
  WebhookTransport
} from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { WebhookTests } from "@switchboard/services/webhooks/EndpointDeliveries"
import { noDeliveries } from "@switchboard/services/webhooks/NewEndpoint"
import { type StoredWebhookEndpoint, WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { WebhookEndpoints } from "@switchboard/services/webhooks/WebhookEndpoints"
import { Effect, Layer, Option, Redacted } from "effect"

const author = {
  organizationId: OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f"),
  apiKeyId: ApiKeyId.make("01a1fc1d-cf9d-766f-8d6a-43d494c1944f")
}
const request = { name: "Orders", url: "https://example.com", events: ["*"], headers: { "X-Team": "blue" } } as const

/** One endpoint in memory, served with different master keys. */
const installation = () => {
  const stored: Array<{ endpoint: StoredWebhookEndpoint; secret: Uint8Array }> = []
  const storedDeliveries: Array<WebhookDelivery> = []
  const posts: Array<WebhookPost> = []
  const Ports = Layer.mergeAll(
    Layer.mock(WebhookEndpointRepo, {
      insert: (endpoint, secret) => Effect.sync(() => void stored.push({ endpoint, secret })),
      find: () =>
        Effect.sync(() => Option.map(Option.fromNullable(stored[0]), (row) => ({ ...row, health: noDeliveries }))),
      secrets: () => Effect.sync(() => stored.map(({ secret }) => secret)),
      insertTest: (_, delivery) => Effect.sync(() => void storedDeliveries.push(delivery))
    }),
    Layer.mock(DestinationGuard, { checkUrl: () => Effect.void }),
    Layer.succeed(WebhookTransport, {
      post: (post) =>
        Effect.sync(() => {
          posts.push(post)
          return WebhookResponse.Responded({
            status: 204,
            headers: {},
            body: "",
            retryAfterSeconds: null,
            durationMs: 3
          })
        })
    })
  )
  const withMasterKey = (byte: number) =>
    Layer.merge(WebhookEndpoints.Default, WebhookTests.Default).pipe(
      Layer.provide(Ports),
      Layer.provide(SecretBox.Live),
      Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(byte))))
    )
  return { storedDeliveries, posts, withMasterKey }
}

describe("An endpoint whose secrets were encrypted with another master key", () => {
  it.effect("is returned without headers, and its test delivery fails with an error that names MASTER_KEY", () =>
    Effect.gen(function* () {
      const { storedDeliveries, posts, withMasterKey } = installation()
      const created = yield* Effect.provide(
        Effect.flatMap(WebhookEndpoints, ({ create }) => create(author, request)),
        withMasterKey(1)
      )
      yield* Effect.gen(function* () {
        const { get } = yield* WebhookEndpoints
        const { config } = yield* get(author.organizationId, created.id)
        assert.deepStrictEqual(JSON.parse(config), { url: request.url, events: ["*"] })
        const { test } = yield* WebhookTests
        const delivery = yield* test(author.organizationId, created.id, {})
        assert.strictEqual(delivery.status, "failed")
        assert.include(delivery.attempts[0]?.error, "MASTER_KEY")
        assert.deepStrictEqual(storedDeliveries, [delivery])
        assert.isEmpty(posts)
      }).pipe(Effect.provide(withMasterKey(2)))

      const delivery = yield* Effect.provide(
        Effect.flatMap(WebhookTests, ({ test }) => test(author.organizationId, created.id, {})),
        withMasterKey(1)
      )
      assert.include(delivery.attempts[0], { responseStatus: 204, trigger: "test" })
      assert.strictEqual(posts[0]?.headers["X-Team"], "blue")
    })
  )
})
