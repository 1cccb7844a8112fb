import { assert, layer } from "@effect/vitest"
import { type Received, receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { Array, Effect } from "effect"
import { eventOf, verified } from "./Hooks.js"
import { accepted, LiveService, metricsText, until } from "./LiveService.js"
import { dataOf, resendSdk } from "./resend/ResendSdk.js"
import { outputOf } from "./TestCommand.js"

const settings = {
  NETWORK_ALLOW: "127.0.0.0/8",
  WEBHOOK_RETRY_SCHEDULE: Array.replicate("50 millis", 9).join(", ")
}

const subscribe = (url: string, events: ReadonlyArray<string>, overrides: Readonly<Record<string, unknown>> = {}) =>
  Effect.gen(function* () {
    const { call } = yield* LiveService
    const { body, status } = yield* call("POST", "/v1/webhook-endpoints", { name: "Orders", url, events, ...overrides })
    assert.strictEqual(status, 201, JSON.stringify(body))
    return { id: String(body.id), secret: String(JSON.parse(body.config).secret) }
  })

const sendMany = (howMany: number) => Effect.replicateEffect(accepted(), howMany, { concurrency: 10, discard: true })

/** The attempts with a response, by the status of the delivery after them. */
const attemptsSoFar = Effect.map(metricsText, (metrics) => {
  const count = (labels: string) =>
    Number(new RegExp(`^switchboard_webhook_attempts_total\\{${labels}\\} (\\d+)$`, "m").exec(metrics)?.[1] ?? 0)
  return {
    pending: count('status="pending",response="5xx"'),
    succeeded: count('status="succeeded",response="2xx"')
  }
})

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

layer(LiveService.layer(settings), { excludeTestServices: true })("Webhooks of the running service", (it) => {
  it.scoped("are retried after three failures, once per event with a stable id and valid signatures", () =>
    Effect.gen(function* () {
      const before = yield* attemptsSoFar
      const tries = new Map<string, number>()
      const hook = yield* receiver((response, request) => {
        const id = eventOf(request).id
        tries.set(id, (tries.get(id) ?? 0) + 1)
        response.writeHead((tries.get(id) ?? 0) > 3 ? 200 : 503).end("not yet")
      })
      const { id, secret } = yield* subscribe(hook.url, ["message.created", "message.sent", "message.delivered"])
      const message = yield* accepted()
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
      // The rate is that of the attempts, also where all deliveries succeeded.
      const { call } = yield* LiveService
      assert.include((yield* call("GET", `/v1/webhook-endpoints/${id}/stats`)).body, {
        succeeded: 3,
        attempts: 12,
        successRate: 0.25
      })
      assert.include(JSON.parse((yield* call("GET", `/v1/webhook-endpoints/${id}`)).body.metrics), {
        delivered: 3,
        successRate: 0.25
      })
      // Other services of this process count in the same metrics.
      const after = yield* attemptsSoFar
      assert.isAtLeast(after.pending - before.pending, 9)
      assert.isAtLeast(after.succeeded - before.succeeded, 3)
    })
  )

  it.scoped(
    "show their requests and responses while the endpoint fails, which the doctor reports until it succeeds",
    () =>
      Effect.gen(function* () {
        const { call, environment } = yield* LiveService
        let status = 503
        const hook = yield* receiver((response) => response.writeHead(status, { "Retry-After": "3600" }).end("not yet"))
        const { id } = yield* subscribe(hook.url, ["message.created"], {
          name: "Failing",
          headers: { "X-Token": "Bearer inside" }
        })
        yield* accepted()
        const [delivery] = yield* until(logsOf(id), ([one]) => one?.attempts.length === 1)
        const [request = assert.fail("nothing came")] = hook.received
        assert.include(delivery, { status: "retrying", requestBody: request.body })
        assert.isAtLeast(Date.parse(delivery.nextAttemptAt) - Date.parse(delivery.attempts[0].at), 3_500_000)
        assert.deepInclude(delivery.attempts[0].requestHeaders, {
          "x-token": "[hidden]",
          "webhook-signature": request.headers["webhook-signature"]
        })
        assert.deepInclude(delivery.attempts[0].responseHeaders, { "retry-after": "3600" })
        const metrics = Effect.map(call("GET", `/v1/webhook-endpoints/${id}`), ({ body }) => JSON.parse(body.metrics))
        const { failingSince, ...counts } = yield* metrics
        assert.deepInclude(counts, { failed: 0, pending: 0, retrying: 1, attempts: 1, successRate: 0 })
        const line = `"Failing" (${id}, organization default): `
        const output = yield* outputOf(["doctor"], environment)
        assert.match(output, /^warning {2}Webhook endpoints: \d+ fail/m)
        assert.include(output, line)
        assert.include(output, `every attempt failed since ${failingSince}`)

        status = 200
        const retried = yield* call("POST", `/v1/webhook-endpoints/${id}/deliveries/${delivery.id}/retry`)
        assert.strictEqual(retried.body.status, "pending")
        yield* until(logsOf(id), ([one]) => one?.status === "succeeded")
        assert.notProperty(yield* metrics, "failingSince")
        assert.notInclude(yield* outputOf(["doctor"], environment), line)
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

  it.scoped("respect the endpoint's rate limit, all arrive, and those of a message are found", () =>
    Effect.gen(function* () {
      const hook = yield* receiver((response) => response.end())
      const { id } = yield* subscribe(hook.url, ["message.created"], { rateLimit: { maxPerSecond: 5 } })
      yield* sendMany(11)
      const message = yield* accepted()
      yield* received(hook, 12)
      const logs = yield* until(logsOf(id), (items) =>
        items.every((one: { status: string }) => one.status === "succeeded")
      )
      assert.isTrue(logs.every((one: { attempts: ReadonlyArray<unknown> }) => one.attempts.length === 1))
      const { call } = yield* LiveService
      const filters = encodeURIComponent(JSON.stringify({ messageId: message.id }))
      const { body } = yield* call("GET", `/v1/webhook-endpoints/${id}/logs?filters=${filters}`)
      const sent = hook.received.filter((request) => eventOf(request).data.id === message.id)
      assert.deepStrictEqual(
        body.items.map(({ eventId }: { readonly eventId: string }) => eventId),
        sent.map((request) => eventOf(request).id)
      )
      assert.lengthOf(sent, 1)
    })
  )

  it.scoped("are created by the Resend SDK, which verifies their requests", () =>
    Effect.gen(function* () {
      const { webhooks } = yield* resendSdk
      const hook = yield* receiver((response) => response.end())
      const { signing_secret: webhookSecret } = yield* dataOf(() =>
        webhooks.create({ endpoint: hook.url, events: ["email.delivered"] })
      )
      const message = yield* accepted()
      yield* received(hook, 1)
      const [{ body: payload, headers: sent } = assert.fail("nothing came")] = hook.received
      const headers = {
        id: String(sent["webhook-id"]),
        timestamp: String(sent["webhook-timestamp"]),
        signature: String(sent["webhook-signature"])
      }
      const event: unknown = webhooks.verify({ payload, headers, webhookSecret })
      assert.deepStrictEqual(event, JSON.parse(payload))
      assert.nestedInclude(event, { type: "message.delivered", "data.id": message.id })
      assert.throws(() => webhooks.verify({ payload: payload.replace("delivered", "bounced"), headers, webhookSecret }))
    })
  )
})
