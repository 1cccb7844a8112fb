import { assert, layer } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { ConflictError, ForbiddenError, make, UnauthorizedError, Webhooks } from "@switchboard/client/promise"
import { Effect, Predicate } from "effect"
import { adminKey, LiveService, until } from "../LiveService.js"

const mail = (subject: string) => ({
  channel: "email" as const,
  to: [{ email: "ada@example.com" }],
  email: { subject, text: "Hello" }
})

/** A client of the service. */
const client = Effect.map(LiveService, ({ baseUrl }) => make({ baseUrl, apiKey: adminKey, retries: 20 }))

/** The reason of a rejection. */
const rejection = (promise: Promise<unknown>) =>
  Effect.promise(() =>
    promise.then(
      () => assert.fail("The promise is not rejected"),
      (reason: unknown) => reason
    )
  )

layer(LiveService.layer({ NETWORK_ALLOW: "127.0.0.0/8" }), { excludeTestServices: true })(
  "The client with promises",
  (it) => {
    it.effect("sends messages, each with its own idempotency key, and iterates over lists and exports", () =>
      Effect.gen(function* () {
        const { exports, messages } = yield* client
        yield* Effect.promise(async () => {
          const payload = { ...mail("Listed"), tags: ["listed"], scheduledAt: new Date(Date.now() + 86_400_000) }
          const headers = { "idempotency-key": "order-1" }
          const [first, { status }] = await messages.send({ payload, headers, withResponse: true })
          assert.strictEqual(status, 201)
          assert.strictEqual((await messages.get({ path: { id: first.id } })).status, "scheduled")
          const [again, replay] = await messages.send({ payload, headers, withResponse: true })
          assert.deepStrictEqual([again.id, replay.headers["idempotent-replayed"]], [first.id, "true"])
          const second = await messages.send({ payload })
          const third = await messages.send({ payload })
          const listed: Array<string> = []
          for await (const message of messages.list.all({ urlParams: { tag: "listed", limit: 1 } })) {
            assert.instanceOf(message.createdAt, Date)
            listed.push(message.id)
          }
          assert.deepStrictEqual(listed, [third.id, second.id, first.id])
          const exported: Array<string> = []
          for await (const row of exports.messages({ startDate: new Date(Date.now() - 86_400_000) })) {
            exported.push(row.id)
          }
          assert.includeMembers(exported, listed)
        })
      })
    )

    it.effect("rejects with the errors of the service", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* LiveService
        const { apiKeys, messages } = yield* client
        yield* Effect.promise(() => messages.send({ payload: { ...mail("One"), idempotencyKey: "order-2" } }))
        const conflict = yield* rejection(messages.send({ payload: { ...mail("Two"), idempotencyKey: "order-2" } }))
        assert.instanceOf(conflict, ConflictError)
        const { key } = yield* Effect.promise(() =>
          apiKeys.create({ payload: { name: "Reader", permissions: { messages: ["read"] } } })
        )
        const reader = make({ baseUrl, apiKey: key ?? "" })
        yield* Effect.promise(() => reader.messages.list())
        assert.instanceOf(yield* rejection(reader.messages.send({ payload: mail("No") })), ForbiddenError)
        const stranger = make({ baseUrl, apiKey: "sk_sm_unknown" })
        for (const attempt of [() => stranger.messages.list.all().next(), () => stranger.events().next()]) {
          assert.instanceOf(yield* rejection(attempt()), UnauthorizedError)
        }
      })
    )

    it.effect("iterates over events, from the one after the last event read", () =>
      Effect.gen(function* () {
        const { events, exports, messages } = yield* client
        yield* Effect.promise(async () => {
          const first = await messages.send({ payload: mail("First") })
          const created: Array<string> = []
          for await (const { data, id, type } of exports.events()) {
            if (type === "message.created" && Predicate.hasProperty(data, "id") && data.id === first.id)
              created.push(id)
          }
          const second = await messages.send({ payload: mail("Second") })
          for await (const event of events({ types: ["message.created"], lastEventId: created[0] ?? "" })) {
            assert(event.type === "message.created")
            assert.strictEqual(event.data.id, second.id)
            assert.instanceOf(event.timestamp, Date)
            break
          }
        })
      })
    )

    it.scoped("verifies a webhook, with the old and the new secret during a rotation", () =>
      Effect.gen(function* () {
        const hook = yield* receiver((response) => response.writeHead(204).end())
        const { webhookEndpoints } = yield* client
        const { config, id } = yield* Effect.promise(() =>
          webhookEndpoints.create({ payload: { name: "Orders", url: hook.url, events: ["webhook_endpoint.test"] } })
        )
        const { newSecret } = yield* Effect.promise(async () => {
          await webhookEndpoints.test({ path: { id } })
          const rotated = await webhookEndpoints.regenerateSecret({ path: { webhookId: id } })
          await webhookEndpoints.test({ path: { id } })
          return rotated
        })
        const [before, during] = yield* until(
          Effect.sync(() => hook.received),
          (received) => received.length === 2
        )
        assert(before !== undefined && during !== undefined)
        const secret: string = JSON.parse(config).secret
        const event = yield* Effect.promise(() => Webhooks.verify(secret, before.headers, before.body))
        assert(event.type === "webhook_endpoint.test")
        assert.instanceOf(event.timestamp, Date)
        for (const secrets of [secret, newSecret]) {
          yield* Effect.promise(() => Webhooks.verify(secrets, during.headers, during.body))
        }
        const early = yield* rejection(Webhooks.verify(newSecret, before.headers, before.body))
        assert.instanceOf(early, Webhooks.WebhookSignatureError)
      })
    )
  }
)
