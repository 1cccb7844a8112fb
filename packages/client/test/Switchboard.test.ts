import { HttpClient, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { make } from "@switchboard/client"
import { Effect, Fiber, Redacted, Ref, TestClock } from "effect"

const limited = JSON.stringify({ _tag: "RateLimitedError", retryAfterSeconds: 7 })
const empty = JSON.stringify({ items: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } })

/** A service that responds with 429 to the first calls. */
const rateLimitedFor = (times: number, calls: Ref.Ref<number>) =>
  HttpClient.make((request) =>
    Effect.map(
      Ref.updateAndGet(calls, (count) => count + 1),
      (count) =>
        HttpClientResponse.fromWeb(
          request,
          new Response(count <= times ? limited : empty, {
            status: count <= times ? 429 : 200,
            headers: { "content-type": "application/json", "retry-after": "7" }
          })
        )
    )
  )

const listFrom = (service: HttpClient.HttpClient, rateLimitRetries: number) =>
  make({ baseUrl: "http://switchboard.test", apiKey: Redacted.make("key"), rateLimitRetries }).pipe(
    Effect.flatMap((switchboard) => switchboard.messages.list({ urlParams: {} })),
    Effect.provideService(HttpClient.HttpClient, service)
  )

describe("Switchboard.make", () => {
  it.effect("retries a 429 after the time in Retry-After, if configured", () =>
    Effect.gen(function* () {
      const calls = yield* Ref.make(0)
      const fiber = yield* Effect.fork(listFrom(rateLimitedFor(2, calls), 2))
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual(yield* Ref.get(calls), 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Ref.get(calls), 2)
      yield* TestClock.adjust("7 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).pagination.total, 0)
      assert.strictEqual(yield* Ref.get(calls), 3)
    })
  )

  it.effect("fails with RateLimitedError after the last retry, and at once without retries", () =>
    Effect.gen(function* () {
      for (const retries of [1, 0]) {
        const calls = yield* Ref.make(0)
        const fiber = yield* Effect.fork(Effect.flip(listFrom(rateLimitedFor(9, calls), retries)))
        yield* TestClock.adjust("1 minute")
        const error = yield* Fiber.join(fiber)
        assert.strictEqual(error._tag, "RateLimitedError")
        assert.strictEqual(yield* Ref.get(calls), retries + 1)
      }
    })
  )
})
