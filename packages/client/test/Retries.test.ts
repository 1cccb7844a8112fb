import { assert, describe, it } from "@effect/vitest"
import type { Switchboard } from "@switchboard/client"
import { Effect, Exit, Fiber, Option, TestClock } from "effect"
import { clientOf, json } from "./FakeService.js"

const errors = {
  429: { _tag: "RateLimitedError", retryAfterSeconds: 7 },
  503: { _tag: "ServiceUnavailableError", message: "The database can't be reached", retryAfterSeconds: 7 }
}
const empty = { items: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } }

/** Starts a call of a service that responds with the status to the first `failures` requests, and then with a list. */
const start = <A, E>(
  call: (switchboard: Switchboard) => Effect.Effect<A, E>,
  {
    failures = 1,
    retries,
    retryAfter = "7",
    status = 429
  }: {
    readonly status?: keyof typeof errors
    readonly retries?: number
    readonly failures?: number
    readonly retryAfter?: string
  }
) =>
  Effect.gen(function* () {
    const { requests, switchboard } = yield* clientOf(
      (earlier) => (earlier < failures ? json(errors[status], status, { "retry-after": retryAfter }) : json(empty)),
      retries === undefined ? {} : { retries }
    )
    return { requests, fiber: yield* Effect.fork(call(switchboard)) }
  })

/** A turn of the event loop: response bodies are read with promises. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** The exit of a call, however long it waits. */
const ended = <A, E>(fiber: Fiber.RuntimeFiber<A, E>) =>
  Effect.zipRight(TestClock.adjust("1 minute"), turn).pipe(
    Effect.repeat({ until: () => Effect.map(Fiber.poll(fiber), Option.isSome) }),
    Effect.zipRight(Fiber.await(fiber))
  )

/** Waits for a number of requests, without a step of the clock. */
const arrive = (requests: ReadonlyArray<unknown>, count: number) =>
  Effect.repeat(turn, { until: () => requests.length >= count })

const list = ({ messages }: Switchboard) => messages.list()
const update = ({ organizations }: Switchboard) => organizations.update({ payload: { name: "Shop" } })

const create = ({ participants }: Switchboard) => participants.create({ payload: { name: "Ada" } })

const message = {
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { subject: "Hello", html: "<p>Hello</p>" }
} as const
const send =
  (parts: { readonly idempotencyKey?: string }, headers: { readonly "idempotency-key"?: string } = {}) =>
  ({ messages }: Switchboard) =>
    messages.send({ payload: { ...message, ...parts }, headers })

const keysOf = (requests: Effect.Effect.Success<ReturnType<typeof clientOf>>["requests"]) =>
  requests.map(({ request }) => request.headers["idempotency-key"])

describe("a retry", () => {
  it.effect.each([
    { retryAfter: "7", millis: 7_000 },
    { retryAfter: "Tue, 01 Jan 2030 00:00:30 GMT", millis: 30_000 },
    ...["", "0", "soon", "-3"].map((retryAfter) => ({ retryAfter, millis: 1_000 }))
  ])("follows after $millis ms with Retry-After: $retryAfter", ({ millis, retryAfter }) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2030, 0, 1))
      const { fiber, requests } = yield* start(list, { retryAfter })
      yield* arrive(requests, 1)
      yield* TestClock.adjust(millis - 1)
      yield* turn
      assert.lengthOf(requests, 1)
      yield* TestClock.adjust(1)
      yield* arrive(requests, 2)
      assert.strictEqual((yield* Fiber.join(fiber)).pagination.total, 0)
    })
  )

  it.effect("is made at most twice by default, or as often as configured", () =>
    Effect.gen(function* () {
      for (const [retries, attempts] of [
        [undefined, 3],
        [0, 1],
        [1, 2],
        [5, 6]
      ] as const) {
        const { fiber, requests } = yield* start(list, { failures: 9, ...(retries === undefined ? {} : { retries }) })
        const exit = yield* ended(fiber)
        assert.isTrue(Exit.isFailure(exit))
        assert.lengthOf(requests, attempts)
      }
    })
  )

  it.effect("is not made if the service requests more than a minute", () =>
    Effect.gen(function* () {
      const { fiber, requests } = yield* start(list, { retryAfter: "61" })
      const error = yield* Effect.flip(Fiber.join(fiber))
      assert.strictEqual(error._tag, "RateLimitedError")
      assert.lengthOf(requests, 1)
    })
  )

  it.effect("follows a 503 only if a repetition is safe, and a 429 in any case", () =>
    Effect.gen(function* () {
      for (const [call, status, attempts] of [
        [list, 503, 2],
        [update, 503, 1],
        [update, 429, 2],
        [send({}), 503, 2],
        [create, 503, 2]
      ] as const) {
        const { fiber, requests } = yield* start<unknown, unknown>(call, { status })
        yield* ended(fiber)
        assert.lengthOf(requests, attempts)
      }
    })
  )

  it.effect("of a send has the idempotency key of the first attempt", () =>
    Effect.gen(function* () {
      const { fiber, requests } = yield* start(send({}), { status: 503, failures: 9 })
      yield* ended(fiber)
      const [first = "", ...others] = keysOf(requests)
      assert.match(first, /^[\da-f]{32}$/)
      assert.deepStrictEqual(others, [first, first])
      const another = yield* start(send({}), { failures: 0 })
      yield* ended(another.fiber)
      assert.notInclude(keysOf(another.requests), first)
    })
  )

  it.effect("of a send or creation keeps the caller's key, from the header or the body", () =>
    Effect.gen(function* () {
      for (const call of [
        send({ idempotencyKey: "order-1" }),
        send({}, { "idempotency-key": "order-1" }),
        ({ participants }: Switchboard) =>
          participants.create({ payload: { name: "Ada" }, headers: { "idempotency-key": "order-1" } })
      ]) {
        const { fiber, requests } = yield* start<unknown, unknown>(call, { status: 503 })
        yield* ended(fiber)
        assert.deepStrictEqual(keysOf(requests), ["order-1", "order-1"])
      }
    })
  )
})
