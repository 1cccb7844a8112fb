import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Array, Effect } from "effect"
import { adminKey, caller, send, until } from "./LiveService.js"
import { smtpSink } from "./SmtpSink.js"
import { newDatabase, startService, testSettings } from "./TestService.js"

describe("The service in several processes", () => {
  it.scopedLive("works as one with others on the same database: each message is delivered once", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink
      const environment = {
        ...testSettings(yield* newDatabase, adminKey),
        SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
        SMTP_CONFIRMATION: "accept"
      }
      const left = yield* startService(environment)
      const right = yield* startService(environment)
      const calls = [caller(left.baseUrl), caller(right.baseUrl)]
      const keyed = send({ idempotencyKey: randomUUID() })
      const bodies = [...Array.makeBy(60, () => send()), ...Array.makeBy(20, () => keyed)]
      const responses = yield* Effect.forEach(
        bodies,
        (body, index) => (calls[index % 2] ?? caller(left.baseUrl))("POST", "/v1/messages", body),
        { concurrency: 32 }
      )
      assert.strictEqual(new Set(responses.map(({ body }) => body.id)).size, 61)
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
      yield* until(delivered, (count) => count === 61)
      assert.strictEqual(sink.mails.length, 61)
    })
  )
})
