import { FetchHttpClient } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { type Received, receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { make } from "@switchboard/client"
import * as ClientWebhooks from "@switchboard/client/webhooks"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Layer, Redacted, Schema } from "effect"
import { Webhook } from "standardwebhooks"
import { LiveService, send, until } from "./LiveService.js"

const settings = {
  NETWORK_ALLOW: "127.0.0.0/8",
  WEBHOOK_RETRY_SCHEDULE: Array.replicate("50 millis", 9).join(", ")
}

const eventOf = ({
  body
}: Received): { readonly id: string; readonly type: string; readonly data: { readonly id: string } } => JSON.parse(body)

const secretOf = Schema.decode(Schema.parseJson(Schema.Struct({ secret: Schema.Redacted(Schema.String) })))

/** Throws unless the request is signed with the secret. */
const verified = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"])
  })

const subscribe = (url: string, events: ReadonlyArray<string>, overrides: Readonly<Record<string, unknown>> = {}) =>
  Effect.gen(function* () {
    const { call } = yield* LiveService
    const { body, status } = yield* call("POST", "/v1/webhook-endpoints", { name: "Orders", url, events, ...overrides })
    assert.strictEqual(status, 201, JSON.stringify(body))
    return { id: String(body.id), secret: String(JSON.parse(body.config).secret) }
  })

const sendMany = (howMany: number) =>
  Effect.flatMap(LiveService, ({ call }) =>
    Effect.forEach(Array.range(1, howMany), () => call("POST", "/v1/messages", send()), {
      concurrency: 10,
      discard: true
    })
  )

/** The attempts with a response, by the status of the delivery after them. */
const attemptsSoFar = Effect.flatMap(LiveService, ({ baseUrl }) =>
  Effect.promise(async () => {
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
    const count = (labels: string) =>
      Number(new RegExp(`^switchboard_webhook_attempts_total\\{${labels}\\} (\\d+)$`, "m").exec(metrics)?.[1] ?? 0)
    return {
      pending: count('status="pending",response="5xx"'),
      succeeded: count('status="succeeded",response="2xx"')
    }
  })
)

/** Waits until the receiver has a number of requests. */
const received = (hook: { readonly received: ReadonlyArray<Received> }, howMany: number) =>
  until(
    Effect.sync(() => hook.received),
    ({ length }) => length === howMany
  )

const logsOf = (id: string) =>
  Effect.flatMap(LiveService, ({ call }) =>
    Effect.map(call("GET", `/v1/webhook-endpoints/${id}/logs?limit=100`), ({ body }) => body.items)
  )

layer(TestDatabase.pipe(Layer.provideMerge(LiveService.layer(settings))), {
  excludeTestServices: true
})("Webhooks of the running service", (it) => {
  it.scoped("are retried after three failures, once per event with a stable id and valid signatures", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const before = yield* attemptsSoFar
      const tries = new Map<string, number>()
      const hook = yield* receiver((response, request) => {
        const id = eventOf(request).id
        tries.set(id, (tries.get(id) ?? 0) + 1)
        response.writeHead((tries.get(id) ?? 0) > 3 ? 200 : 503).end("not yet")
      })
      const { id, secret } = yield* subscribe(hook.url, ["message.created", "message.sent", "message.delivered"])
      const { body: message } = yield* call("POST", "/v1/messages", send())
      const logs = yield* until(
        logsOf(id),
        (items) => items.length === 3 && items.every((one: { status: string }) => one.status === "succeeded")
      )
      for (const delivery of logs) {
        assert.deepStrictEqual(
          delivery.attempts.map((attempt: { responseStatus: number }) => attempt.responseStatus),
          [503, 503, 503, 200]
        )
        const requests = hook.received.filter((request) => request.headers["webhook-id"] === delivery.eventId)
        assert.lengthOf(requests, 4)
        for (const request of requests) {
          verified(secret, request)
          assert.deepInclude(eventOf(request), { id: delivery.eventId, type: delivery.eventType })
          assert.strictEqual(eventOf(request).data.id, message.id)
          assert.notInclude(request.body, "<p>Hello</p>")
        }
      }
      assert.strictEqual(hook.received.length, 12)
      // Other services of this process count in the same metrics.
      const after = yield* attemptsSoFar
      assert.isAtLeast(after.pending - before.pending, 9)
      assert.isAtLeast(after.succeeded - before.succeeded, 3)
    })
  )

  it.scoped("repeat the body of the first attempt after changes of the message, until it is deleted", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const sql = yield* SqlClient.SqlClient
      const change = sql`UPDATE messages SET content = jsonb_set(content::jsonb, '{subject}', '"Another"')::json`
      const hook = yield* receiver((response) => {
        if (hook.received.length > 2) return response.writeHead(200).end()
        void Effect.runPromise(change).then(() => response.writeHead(503).end())
      })
      const { id } = yield* subscribe(hook.url, ["message.created"])
      const { body: message } = yield* call("POST", "/v1/messages", send())
      yield* until(logsOf(id), ([delivery]) => delivery?.status === "succeeded")
      assert.lengthOf(hook.received, 3)
      assert.lengthOf(new Set(hook.received.map(({ body }) => body)), 1)
      assert.strictEqual((yield* call("DELETE", `/v1/messages/${message.id}`)).status, 200)
      assert.isEmpty(yield* sql`SELECT body FROM webhook_bodies WHERE message_id = ${message.id}`)
    })
  )

  it.scoped("are signed with both secrets during a rotation", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const hook = yield* receiver((response) => response.end("ok"))
      const { id, secret } = yield* subscribe(hook.url, ["message.created"])
      yield* call("POST", "/v1/messages", send())
      yield* received(hook, 1)
      const { body } = yield* call("POST", `/v1/webhook-endpoints/${id}/regenerate-secret`)
      assert.match(body.newSecret, /^whsec_/)
      yield* call("POST", "/v1/messages", send())
      yield* received(hook, 2)
      const [before, during] = hook.received
      if (before === undefined || during === undefined) return assert.fail("no event arrived")
      verified(secret, before)
      assert.throws(() => verified(body.newSecret, before))
      verified(secret, during)
      verified(body.newSecret, during)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE webhook_endpoints SET previous_secret_until = now() WHERE id = ${id}`
      yield* call("POST", "/v1/messages", send())
      yield* received(hook, 3)
      const after = hook.received[2] ?? assert.fail("no event arrived")
      verified(body.newSecret, after)
      assert.throws(() => verified(secret, after))
    })
  )

  it.scoped("are not delayed by another endpoint that hangs", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      let open = 0
      let maxOpen = 0
      // A request ends with its timeout, and its repetition may then begin.
      const hanging = yield* receiver((response) => {
        open += 1
        maxOpen = Math.max(maxOpen, open)
        response.once("close", () => {
          open -= 1
        })
      })
      const calm = yield* receiver((response) => response.end())
      const slow = yield* subscribe(hanging.url, ["message.created"])
      yield* subscribe(calm.url, ["message.created"])
      yield* sendMany(40)
      yield* received(calm, 40)
      const logs = yield* logsOf(slow.id)
      assert.lengthOf(logs, 40)
      assert.isTrue(logs.every((one: { status: string }) => one.status === "pending"))
      yield* until(
        Effect.sync(() => maxOpen),
        (count) => count === 20
      )
      yield* call("DELETE", `/v1/webhook-endpoints/${slow.id}`)
      assert.strictEqual(maxOpen, 20)
    })
  )

  it.scoped("deliver 500 events to a healthy receiver, each once", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const sql = yield* SqlClient.SqlClient
      const hook = yield* receiver((response) => response.end())
      const { id } = yield* subscribe(hook.url, ["organization.updated"])
      const { body: organization } = yield* call("GET", "/v1/organizations/current")
      yield* sql`INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
        SELECT ${organization.id}, new_uuid_v7(clock_timestamp(), n), 'organization.updated', ${organization.id}, '{}', now()
        FROM generate_series(1, 500) AS n`
      const stats = Effect.map(call("GET", `/v1/webhook-endpoints/${id}/stats`), ({ body }) => body)
      yield* until(stats, ({ pending, succeeded }) => pending === 0 && succeeded === 500)
      assert.strictEqual(new Set(hook.received.map((request) => eventOf(request).id)).size, 500)
      assert.lengthOf(hook.received, 500)
    })
  )

  it.scoped("end after 410 Gone, with an event for the other endpoints", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const gone = yield* receiver((response) => response.writeHead(410).end())
      const other = yield* receiver((response) => response.end())
      const { id } = yield* subscribe(gone.url, ["message.created"])
      yield* subscribe(other.url, ["webhook_endpoint.*"])
      yield* call("POST", "/v1/messages", send())
      yield* received(other, 1)
      const event = eventOf(other.received[0] ?? assert.fail("no event arrived"))
      assert.deepInclude(event, { type: "webhook_endpoint.disabled" })
      assert.strictEqual(event.data.id, id)
      const { body } = yield* call("GET", `/v1/webhook-endpoints/${id}`)
      assert.strictEqual(body.status, "disabled")
    })
  )

  it.scoped("respect the endpoint's rate limit, and all arrive", () =>
    Effect.gen(function* () {
      const hook = yield* receiver((response) => response.end())
      const { id } = yield* subscribe(hook.url, ["message.created"], { rateLimit: { maxPerSecond: 5 } })
      yield* sendMany(12)
      yield* received(hook, 12)
      const logs = yield* until(logsOf(id), (items) =>
        items.every((one: { status: string }) => one.status === "succeeded")
      )
      assert.isTrue(logs.every((one: { attempts: ReadonlyArray<unknown> }) => one.attempts.length === 1))
    })
  )

  it.scoped("refuse internal addresses, and name the setting NETWORK_ALLOW", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      for (const url of [
        "https://10.0.0.1/",
        "http://169.254.169.254/latest",
        "https://[::ffff:10.0.0.1]/",
        "https://[fd00::1]"
      ]) {
        const { body, status } = yield* call("POST", "/v1/webhook-endpoints", { name: "x", url, events: ["*"] })
        assert.strictEqual(status, 422, url)
        assert.match(body.fields.url[0], /NETWORK_ALLOW/)
      }
    })
  )

  it.scoped("are verified and typed by the client, with the old and the new secret during a rotation", () =>
    Effect.gen(function* () {
      const { baseUrl, key } = yield* LiveService
      const hook = yield* receiver((response) => response.writeHead(204).end())
      const { webhookEndpoints } = yield* make({ baseUrl, apiKey: Redacted.make(key), retries: 20 })
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

      const event = yield* ClientWebhooks.verify(secret, first.headers, first.body)
      assert(event.type === "webhook_endpoint.test")
      assert.strictEqual(event.id, first.headers["webhook-id"])
      for (const secrets of [secret, Redacted.make(newSecret), [Redacted.make(newSecret), secret]]) {
        const after = yield* ClientWebhooks.verify(secrets, second.headers, Buffer.from(second.body))
        assert.strictEqual(after.type, "webhook_endpoint.test")
      }
      for (const rejection of [
        ClientWebhooks.verify(Redacted.make(newSecret), first.headers, first.body),
        ClientWebhooks.verify(secret, first.headers, second.body)
      ]) {
        assert.instanceOf(yield* Effect.flip(rejection), ClientWebhooks.WebhookSignatureError)
      }
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
