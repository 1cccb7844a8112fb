import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { type Received, receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { TestDatabase, TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Deferred, Effect, Layer, Redacted } from "effect"
import { Webhook } from "standardwebhooks"
import { adminKey, caller, LiveService, send, temporaryFolder, until } from "./LiveService.js"
import { base, ended, launch } from "./ServiceProcess.js"

const settings = {
  NETWORK_ALLOW: "127.0.0.0/8",
  WEBHOOK_RETRY_SCHEDULE: Array.replicate("50 millis", 9).join(", "),
  LEASE_DURATION: "2 seconds"
}

const eventOf = ({
  body
}: Received): { readonly id: string; readonly type: string; readonly data: { readonly id: string } } => JSON.parse(body)

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

const logsOf = (id: string) =>
  Effect.flatMap(LiveService, ({ call }) =>
    Effect.map(call("GET", `/v1/webhook-endpoints/${id}/logs?limit=100`), ({ body }) => body.items)
  )

layer(LiveService.layer(settings).pipe(Layer.provideMerge(TestDatabase), Layer.provideMerge(TestDatabaseUrl.Live)), {
  timeout: "60 seconds",
  excludeTestServices: true
})("Webhooks of the running service", (it) => {
  it.scoped("are retried after three failures, once per event with a stable id and valid signatures", () =>
    Effect.gen(function* () {
      const { baseUrl, call } = yield* LiveService
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
      const metrics = yield* Effect.promise(() => fetch(`${baseUrl}/metrics`).then((response) => response.text()))
      assert.match(metrics, /^switchboard_webhook_attempts_total\{status="pending",response="5xx"\} 9$/m)
      assert.match(metrics, /^switchboard_webhook_attempts_total\{status="succeeded",response="2xx"\} 3$/m)
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
      yield* until(
        Effect.sync(() => hook.received.length),
        (count) => count === 1
      )
      const { body } = yield* call("POST", `/v1/webhook-endpoints/${id}/regenerate-secret`)
      assert.match(body.newSecret, /^whsec_/)
      yield* call("POST", "/v1/messages", send())
      yield* until(
        Effect.sync(() => hook.received.length),
        (count) => count === 2
      )
      const [before, during] = hook.received
      if (before === undefined || during === undefined) return assert.fail("no event arrived")
      verified(secret, before)
      assert.throws(() => verified(body.newSecret, before))
      verified(secret, during)
      verified(body.newSecret, during)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE webhook_endpoints SET previous_secret_until = now() WHERE id = ${id}`
      yield* call("POST", "/v1/messages", send())
      yield* until(
        Effect.sync(() => hook.received.length),
        (count) => count === 3
      )
      const after = hook.received[2] ?? assert.fail("no event arrived")
      verified(body.newSecret, after)
      assert.throws(() => verified(secret, after))
    })
  )

  it.scoped("are not delayed by another endpoint that hangs", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const hanging = yield* receiver(() => undefined)
      const calm = yield* receiver((response) => response.end())
      const slow = yield* subscribe(hanging.url, ["message.created"])
      yield* subscribe(calm.url, ["message.created"])
      yield* sendMany(40)
      yield* until(
        Effect.sync(() => calm.received.length),
        (count) => count === 40
      )
      const logs = yield* logsOf(slow.id)
      assert.isTrue(logs.every((one: { status: string }) => one.status === "pending"))
      assert.isAtMost(hanging.received.length, 20)
      yield* call("DELETE", `/v1/webhook-endpoints/${slow.id}`)
    })
  )

  it.scoped("deliver 2,000 events to a healthy receiver, each once", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const sql = yield* SqlClient.SqlClient
      const hook = yield* receiver((response) => response.end())
      yield* subscribe(hook.url, ["organization.updated"])
      const { body: organization } = yield* call("GET", "/v1/organizations/current")
      yield* sql`INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
        SELECT ${organization.id}, new_uuid_v7(clock_timestamp(), n), 'organization.updated', ${organization.id}, '{}', now()
        FROM generate_series(1, 2000) AS n`
      yield* until(
        Effect.sync(() => hook.received.length),
        (count) => count >= 2_000
      )
      assert.strictEqual(new Set(hook.received.map((request) => eventOf(request).id)).size, 2_000)
      assert.lengthOf(hook.received, 2_000)
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
      yield* until(
        Effect.sync(() => other.received),
        (requests) => requests.length === 1
      )
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
      yield* until(
        Effect.sync(() => hook.received.length),
        (count) => count === 12
      )
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
})

layer(TestDatabaseUrl.Live, { timeout: "300 seconds", excludeTestServices: true })("A killed worker", (it) => {
  it.scoped("repeats only the event whose response it had not committed, and loses none", () =>
    Effect.gen(function* () {
      const environment = {
        ...base(yield* temporaryFolder),
        ...settings,
        DATABASE_URL: Redacted.value(yield* TestDatabaseUrl),
        SMTP_CONFIRMATION: "accept",
        SMTP_URL: "smtp://127.0.0.1:1"
      }
      const api = yield* launch("api", environment)
      const call = caller(api.baseUrl, adminKey)
      const came = yield* Deferred.make<void>()
      const hook = yield* receiver((response) => {
        // The worker is killed before it receives the response: the outcome is unknown.
        Deferred.unsafeDone(came, Effect.void)
        response.end()
      })
      yield* call("POST", "/v1/webhook-endpoints", { name: "x", url: hook.url, events: ["api_key.created"] })
      const first = yield* launch("worker", environment)
      const killed = yield* Effect.fork(
        Effect.zipRight(
          Deferred.await(came),
          Effect.sync(() => first.child.kill("SIGKILL"))
        )
      )
      yield* call("POST", "/v1/api-keys", { name: "one", roleName: "viewer" })
      yield* killed
      yield* ended(first.child)
      const before = hook.received.length
      yield* Effect.replicateEffect(call("POST", "/v1/api-keys", { name: "more", roleName: "viewer" }), 20)
      yield* launch("worker", environment)
      const idsOf = Effect.sync(() => hook.received.map((request) => eventOf(request).id))
      const ids = yield* until(idsOf, (all) => new Set(all).size === 21)
      assert.strictEqual(before, 1)
      yield* until(
        Effect.flatMap(call("GET", "/v1/webhook-endpoints"), ({ body }) =>
          Effect.map(call("GET", `/v1/webhook-endpoints/${body.items[0].id}/stats`), (stats) => stats.body)
        ),
        ({ pending }) => pending === 0
      )
      assert.isAtMost(hook.received.length, 22)
      assert.isAtMost(ids.filter((id) => id === ids[0]).length, 2)
    })
  )
})
