import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Redacted } from "effect"
import { caller, send, temporaryFolder, until } from "./LiveService.js"
import { base, launch } from "./ServiceProcess.js"
import { smtpSink } from "./SmtpSink.js"

describe("The service in several processes", () => {
  it.scopedLive(
    "works as one with others on the same database: each message is delivered once",
    () =>
      Effect.gen(function* () {
        const sink = yield* smtpSink
        const url = yield* TestDatabaseUrl
        const environment = {
          ...base(yield* temporaryFolder),
          DATABASE_URL: Redacted.value(url),
          SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
          SMTP_CONFIRMATION: "accept"
        }
        const left = yield* launch("api", environment)
        const [right] = yield* Effect.all(
          [launch("api", environment), launch("worker", environment), launch("worker", environment)],
          { concurrency: "unbounded" }
        )
        const calls = [caller(left.baseUrl), caller(right.baseUrl)]
        const keyed = send({ idempotencyKey: randomUUID() })
        const bodies = [...Array.makeBy(150, () => send()), ...Array.makeBy(20, () => keyed)]
        const responses = yield* Effect.forEach(
          bodies,
          (body, index) => (calls[index % 2] ?? caller(left.baseUrl))("POST", "/v1/messages", body),
          { concurrency: 32 }
        )
        assert.strictEqual(new Set(responses.map(({ body }) => body.id)).size, 151)
        const participant = { name: "Ada" }
        const created = yield* Effect.forEach(
          Array.makeBy(20, (index) => calls[index % 2] ?? caller(left.baseUrl)),
          (call) => call("POST", "/v1/participants", participant, { "Idempotency-Key": "ada" }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(new Set(created.map(({ status }) => status)), new Set([201]))
        assert.strictEqual(new Set(created.map(({ body }) => body.id)).size, 1)
        const delivered = Effect.map(
          caller(left.baseUrl)("GET", "/v1/messages?limit=1&status=delivered"),
          ({ body }) => body.pagination.total as number
        )
        yield* until(delivered, (count) => count === 151)
        assert.strictEqual(sink.mails.length, 151)
        // A process without a worker has no relay.
        const metrics = yield* Effect.promise(() =>
          fetch(`${left.baseUrl}/metrics`).then((response) => response.text())
        )
        assert.notInclude(metrics, "switchboard_relay_paused")
        assert.match(metrics, /^switchboard_accept_duration_seconds_count [1-9]/m)
      }).pipe(Effect.provide(TestDatabaseUrl.Live)),
    300_000
  )
})
