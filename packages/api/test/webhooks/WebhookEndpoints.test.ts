import { assert, layer } from "@effect/vitest"
import { type Received, receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { DateTime, Effect, Struct } from "effect"
import { Webhook } from "standardwebhooks"
import { call, LiveApi } from "../LiveApi.js"

const endpoints = "/v1/webhook-endpoints"
const orders = { name: "Orders", url: "https://example.com/hooks", events: ["message.sent"] }

const post = (path: string, body?: unknown) => call("POST", path, { body })

const create = (given: object = {}) =>
  Effect.map(post(endpoints, { ...orders, ...given }), ({ body, status, text }) => {
    assert.strictEqual(status, 201, text)
    return { path: `${endpoints}/${body.id}`, body, config: JSON.parse(body.config) }
  })

const verify = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"])
  })

layer(LiveApi.layer, { excludeTestServices: true })("A webhook endpoint", (it) => {
  it.effect("is created with a name, a URL and events, and shows its secret once", () =>
    Effect.gen(function* () {
      const { body, config, path } = yield* create({ name: "Über Bestellungen!" })
      const { id, createdAt, updatedAt, ...rest } = body
      assert.match(config.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.deepStrictEqual(rest, {
        organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
        name: "Über Bestellungen!",
        slug: "uber-bestellungen",
        type: "webhook",
        config: JSON.stringify({ url: orders.url, events: orders.events, secret: config.secret }),
        configuration: config,
        filters: "{}",
        rateLimit: "{}",
        metrics:
          '{"delivered":0,"failed":0,"pending":0,"retrying":0,"attempts":0,"successRate":0,"averageLatencyMs":0}',
        priority: 0,
        status: "active",
        testMode: false,
        createdBy: "01a1fc1d-cf9d-766f-8d6a-43d494c19441",
        lastModifiedBy: "01a1fc1d-cf9d-766f-8d6a-43d494c19441"
      })
      const read = yield* call("GET", path)
      const configuration = { url: orders.url, events: orders.events }
      const shown = { ...body, config: JSON.stringify(configuration), configuration }
      assert.deepStrictEqual([read.status, read.body], [200, shown])
      assert.notInclude(read.text, "whsec_")
      const listed = yield* call("GET", endpoints)
      assert.notInclude(listed.text, "whsec_")
    })
  )

  it.effect("has a unique slug for any name", () =>
    Effect.gen(function* () {
      const twins = yield* Effect.replicateEffect(create({ name: "Twin" }), 3)
      const [first, ...others] = twins.map(({ body }) => body.slug)
      assert.strictEqual(first, "twin")
      for (const slug of others) assert.match(slug, /^twin-[0-9a-f]{6}$/)
      assert.strictEqual((yield* create({ name: "注文" })).body.slug, "webhook")
    })
  )

  it.effect("rejects URLs with private addresses and http", () =>
    Effect.gen(function* () {
      const { path } = yield* create()
      for (const [url, reason] of [
        ["https://10.0.0.8/hooks", "is a private address"],
        ["https://[::ffff:169.254.169.254]/latest", "an IPv4-mapped address"],
        ["https://0x0a000008/", "is a private address"],
        ["http://1.1.1.1/hooks", "must be called over https"]
      ] as const) {
        for (const response of [
          yield* post(endpoints, { ...orders, url }),
          yield* call("PATCH", path, { body: { url } })
        ]) {
          assert.strictEqual(response.status, 422, url)
          assert.deepStrictEqual(Object.keys(response.body.fields), ["url"])
          assert.include(response.body.fields.url[0], reason)
          assert.include(response.body.fields.url[0], "NETWORK_ALLOW")
        }
      }
      yield* create({ url: "http://127.0.0.1:9/hooks" })
      yield* create({ url: "https://inside.test/hooks" })
    })
  )

  it.effect("changes the fields of the request, and replaces filters, rate limit and headers completely", () =>
    Effect.gen(function* () {
      const { body, path } = yield* create({
        description: "For the shop",
        filters: { channels: ["email"], isTest: false },
        rateLimit: { maxPerSecond: 5 },
        headers: { Authorization: "Bearer inside", "X-Team": "blue" }
      })
      const patch = (given: object) =>
        Effect.map(call("PATCH", path, { body: given }), (response) => {
          assert.strictEqual(response.status, 200, response.text)
          return response.body
        })
      assert.deepStrictEqual(JSON.parse((yield* call("GET", path)).body.config).headers, {
        Authorization: "Bearer inside",
        "X-Team": "blue"
      })
      const changed = yield* patch({
        name: "Other",
        filters: { tags: ["a"] },
        headers: { "X-Team": "red" },
        status: "paused",
        testMode: true,
        priority: -1
      })
      assert.deepInclude(changed, {
        name: "Other",
        slug: body.slug,
        description: "For the shop",
        filters: '{"tags":["a"]}',
        rateLimit: '{"maxPerSecond":5}',
        status: "paused",
        testMode: true,
        priority: -1
      })
      assert.deepStrictEqual(JSON.parse(changed.config).headers, { "X-Team": "red" })
      assert.strictEqual((yield* patch({ priority: -(2 ** 31) })).priority, -(2 ** 31))
      const bare = yield* patch({ rateLimit: {}, headers: {}, url: "https://example.com/other", events: ["*"] })
      assert.deepStrictEqual(bare.configuration, { url: "https://example.com/other", events: ["*"] })
      assert.strictEqual(bare.config, JSON.stringify(bare.configuration))
      assert.strictEqual(bare.rateLimit, "{}")
      const other = yield* post(`${path}/regenerate-secret`, { webhookId: "01a1fc1d-0000-7000-8000-000000000000" })
      assert.deepStrictEqual(other.body.fields, { webhookId: ["must be the same as in the path"] })
    })
  )

  it.effect("is recovered while active, from at most 30 days ago", () =>
    Effect.gen(function* () {
      const { path } = yield* create()
      const now = yield* DateTime.now
      const recover = (changed: Parameters<typeof DateTime.add>[1]) =>
        post(`${path}/recover`, { since: DateTime.formatIso(DateTime.add(now, changed)) })
      assert.deepStrictEqual((yield* recover({ days: -29 })).body, { requeued: 0 })
      for (const wrong of [{ days: -31 }, { hours: 1 }]) {
        const { body, status } = yield* recover(wrong)
        assert.deepStrictEqual([status, body.fields], [422, { since: ["must be in the last 30 days"] }])
      }
      assert.strictEqual((yield* post(`${path}/recover`)).status, 400)
      yield* call("PATCH", path, { body: { status: "paused" } })
      assert.strictEqual((yield* recover({ days: -1 })).status, 409)
    })
  )
})

layer(LiveApi.layer, { excludeTestServices: true })("A test of a webhook endpoint", (it) => {
  it.scoped("posts one signed event about the endpoint, with its headers, and shows it without credentials", () =>
    Effect.gen(function* () {
      const endpoint = yield* receiver((response) =>
        response
          .setHeader("x-long", "x".repeat(4_000))
          .setHeader("location", "https://a:b@a.test/")
          .writeHead(200, { "Set-Cookie": ["a=inside", "b=inside"], "X-Served-By": "ada", "X-Late": "x".repeat(200) })
          .end("thanks")
      )
      const { body, config, path } = yield* create({ url: `${endpoint.url}/hooks`, headers: { "X-Team": "blue" } })
      const tested = yield* post(`${path}/test`)
      assert.strictEqual(tested.status, 200, tested.text)
      const [request = assert.fail("nothing came"), ...more] = endpoint.received
      assert.isEmpty(more)
      assert.include(request.headers, {
        "x-team": "blue",
        "content-type": "application/json",
        "webhook-id": tested.body.eventId
      })
      const event = JSON.parse(request.body)
      assert.deepStrictEqual(verify(config.secret, request), event)
      assert.deepInclude(event, {
        id: tested.body.eventId,
        type: "webhook_endpoint.test",
        organizationId: body.organizationId
      })
      assert.strictEqual(event.data.id, body.id)
      // Headers can be credentials, and the secret is one.
      assert.deepStrictEqual(JSON.parse(event.data.config), { url: `${endpoint.url}/hooks`, events: orders.events })

      const { at, durationMs, requestHeaders, responseHeaders, ...attempt } = tested.body.attempts[0]
      assert.isAtLeast(durationMs, 0)
      assert.strictEqual(at, event.timestamp)
      assert.deepStrictEqual(attempt, { attempt: 1, trigger: "test", responseStatus: 200, responseBody: "thanks" })
      assert.strictEqual(tested.body.requestBody, request.body)
      const sent = Struct.pick(request.headers, ...Object.keys(requestHeaders))
      assert.deepStrictEqual(requestHeaders, { ...sent, "x-team": "[hidden]" })
      assert.containsAllKeys(requestHeaders, ["content-type", "user-agent", "webhook-signature", "webhook-timestamp"])
      assert.deepStrictEqual(responseHeaders, {
        "x-long": "x".repeat(4_000),
        "set-cookie": "[hidden]",
        location: "https://[hidden]@a.test/",
        "x-served-by": "ada"
      })
      assert.deepInclude(tested.body, { status: "succeeded", eventType: "webhook_endpoint.test", endpointId: body.id })
      const logs = (status: string) =>
        call("GET", `${path}/logs?filters=${encodeURIComponent(JSON.stringify({ status }))}`)
      assert.deepStrictEqual((yield* logs("succeeded")).body.items, [tested.body])
      assert.deepStrictEqual((yield* call("GET", `${path}/deliveries/${tested.body.id}`)).body, tested.body)
      const missing = yield* call("GET", `${path}/deliveries/${body.id}`)
      assert.deepStrictEqual([missing.status, missing.body.resource], [404, "webhookDelivery"])
      assert.deepStrictEqual((yield* logs("failed")).body.items, [])
      const retried = yield* post(`${path}/deliveries/${tested.body.id}/retry`)
      assert.deepStrictEqual([retried.status, retried.body.resource], [409, "webhookDelivery"])
    })
  )

  it.scoped("posts an example of any other event, with the id of the organization", () =>
    Effect.gen(function* () {
      const endpoint = yield* receiver((response) => response.end())
      const { body, path } = yield* create({ url: endpoint.url })
      const { eventType } = (yield* post(`${path}/test`, { event: "message.delivered" })).body
      const event = JSON.parse(endpoint.received[0]?.body ?? "")
      assert.deepStrictEqual(
        [eventType, event.type, event.data.status],
        ["message.delivered", "message.delivered", "delivered"]
      )
      assert.strictEqual(event.data.organizationId, body.organizationId)
      assert.strictEqual((yield* post(`${path}/test`, { event: "message.*" })).status, 422)
    })
  )

  it.scoped("reports the failure of the endpoint", () =>
    Effect.gen(function* () {
      const endpoint = yield* receiver((response) => response.writeHead(410).end("gone"))
      const gone = yield* create({ url: endpoint.url })
      const { attempts, status } = (yield* post(`${gone.path}/test`)).body
      assert.deepStrictEqual([status, attempts[0].responseStatus, attempts[0].responseBody], ["failed", 410, "gone"])
      assert.strictEqual((yield* call("GET", gone.path)).body.status, "active")

      const closed = yield* create({ url: "http://127.0.0.1:1/hooks" })
      const unreached = yield* post(`${closed.path}/test`)
      assert.deepStrictEqual([unreached.status, unreached.body.status], [200, "failed"])
      assert.isString(unreached.body.attempts[0].error)
      assert.notProperty(unreached.body.attempts[0], "responseStatus")
    })
  )
})
