import { FetchHttpClient } from "@effect/platform"
import { assert, layer } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { make } from "@switchboard/client"
import * as Webhooks from "@switchboard/client/webhooks"
import { Effect, Redacted, Schema } from "effect"
import { adminKey, LiveService, until } from "../LiveService.js"

const secretOf = Schema.decode(Schema.parseJson(Schema.Struct({ secret: Schema.Redacted(Schema.String) })))

layer(LiveService.layer({ NETWORK_ALLOW: "127.0.0.0/8" }), { timeout: "300 seconds", excludeTestServices: true })(
  "A webhook of the running service",
  (it) => {
    it.scoped("is verified and typed by the client, with the old and the new secret during a rotation", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* LiveService
        const hook = yield* receiver((response) => response.writeHead(204).end())
        const { webhookEndpoints } = yield* make({ baseUrl, apiKey: Redacted.make(adminKey), retries: 20 })
        const endpoint = yield* webhookEndpoints.create({
          payload: { name: "Orders", url: hook.url, events: ["webhook_endpoint.test"] }
        })
        const { secret } = yield* secretOf(endpoint.config)
        yield* webhookEndpoints.test({ path: { id: endpoint.id } })
        const { newSecret } = yield* webhookEndpoints.regenerateSecret({ path: { webhookId: endpoint.id } })
        yield* webhookEndpoints.test({ path: { id: endpoint.id } })
        const [first, second] = yield* until(
          Effect.sync(() => hook.received),
          (received) => received.length === 2
        )
        assert(first !== undefined && second !== undefined)

        const event = yield* Webhooks.verify(secret, first.headers, first.body)
        assert(event.type === "webhook_endpoint.test")
        assert.strictEqual(event.id, first.headers["webhook-id"])
        for (const secrets of [secret, Redacted.make(newSecret), [Redacted.make(newSecret), secret]]) {
          const after = yield* Webhooks.verify(secrets, second.headers, Buffer.from(second.body))
          assert.strictEqual(after.type, "webhook_endpoint.test")
        }
        for (const rejection of [
          Webhooks.verify(Redacted.make(newSecret), first.headers, first.body),
          Webhooks.verify(secret, first.headers, second.body)
        ]) {
          assert.instanceOf(yield* Effect.flip(rejection), Webhooks.WebhookSignatureError)
        }
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  }
)
