import { assert, layer } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import {
  ConflictError,
  ForbiddenError,
  make,
  ResourceNotFoundError,
  UnauthorizedError,
  Webhooks
} from "@switchboard/client/promise"
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
    it.effect("sends a message, and reads it with dates", () =>
      Effect.gen(function* () {
        const { messages } = yield* client
        yield* Effect.promise(async () => {
          const before = Date.now()
          const scheduledAt = new Date(before + 86_400_000)
          const [sent, { headers, status }] = await messages.send({
            payload: { ...mail("Hello"), scheduledAt },
            headers: { "idempotency-key": "order-1" },
            withResponse: true
          })
          assert.strictEqual(status, 201)
          assert.isUndefined(headers["idempotent-replayed"])
          const found = await messages.get({ path: { id: sent.id } })
          assert.strictEqual(found.status, "scheduled")
          const [again, replay] = await messages.send({
            payload: { ...mail("Hello"), scheduledAt, idempotencyKey: "order-1" },
            withResponse: true
          })
          assert.strictEqual(again.id, sent.id)
          assert.strictEqual(replay.headers["idempotent-replayed"], "true")
        })
      })
    )

    it.effect("sends an equal message twice, since each call has its own idempotency key", () =>
      Effect.gen(function* () {
        const { messages } = yield* client
        const [first, second] = yield* Effect.promise(() =>
          Promise.all([messages.send({ payload: mail("Twice") }), messages.send({ payload: mail("Twice") })])
        )
        assert.notStrictEqual(first?.id, second?.id)
      })
    )

    it.effect("rejects with the errors of the service", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* LiveService
        const { apiKeys, messages } = yield* client
        const id = "01900000-0000-7000-8000-000000000000"
        const missing = yield* rejection(messages.get({ path: { id } }))
        assert(missing instanceof ResourceNotFoundError)
        assert.deepStrictEqual([missing.status, missing.id, missing._tag], [404, id, "ResourceNotFoundError"])
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
        for (const attempt of [
          () => stranger.messages.list(),
          () => stranger.messages.list.all().next(),
          () => stranger.events().next()
        ]) {
          assert.instanceOf(yield* rejection(attempt()), UnauthorizedError)
        }
      })
    )

    it.effect("iterates over lists and exports", () =>
      Effect.gen(function* () {
        const { exports, messages } = yield* client
        yield* Effect.promise(async () => {
          const { id } = await messages.send({ payload: { ...mail("Listed"), tags: ["listed"] } })
          await messages.send({ payload: { ...mail("Listed too"), tags: ["listed"] } })
          const listed: Array<string> = []
          for await (const message of messages.list.all({ urlParams: { tag: "listed", limit: 1 } })) {
            assert.instanceOf(message.createdAt, Date)
            listed.push(message.id)
          }
          assert.lengthOf(listed, 2)
          assert.strictEqual(listed[1], id)
          const exported: Array<string> = []
          for await (const row of exports.messages({ startDate: new Date(Date.now() - 86_400_000) })) {
            exported.push(row.id)
          }
          assert.includeMembers(exported, listed)
        })
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

    it.scoped("verifies a webhook", () =>
      Effect.gen(function* () {
        const hook = yield* receiver((response) => response.writeHead(204).end())
        const { webhookEndpoints } = yield* client
        const { config, id } = yield* Effect.promise(() =>
          webhookEndpoints.create({ payload: { name: "Orders", url: hook.url, events: ["webhook_endpoint.test"] } })
        )
        yield* Effect.promise(() => webhookEndpoints.test({ path: { id } }))
        const [request] = yield* until(
          Effect.sync(() => hook.received),
          (received) => received.length === 1
        )
        assert(request !== undefined)
        const { body, headers } = request
        const secret: string = JSON.parse(config).secret
        const event = yield* Effect.promise(() => Webhooks.verify(secret, headers, body))
        assert(event.type === "webhook_endpoint.test")
        assert.instanceOf(event.timestamp, Date)
        const changed = yield* rejection(Webhooks.verify([secret], headers, `${body} `))
        assert.instanceOf(changed, Webhooks.WebhookSignatureError)
        const late = yield* rejection(
          Webhooks.verify(secret, { ...headers, "webhook-timestamp": "1" }, body, { toleranceSeconds: 60 })
        )
        assert.instanceOf(late, Webhooks.WebhookTimestampError)
        assert.instanceOf(yield* rejection(Webhooks.verify("secret", headers, body)), Webhooks.WebhookSecretError)
      })
    )
  }
)
