import { EventEmitter } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { BodyBudget } from "@switchboard/api/http/body/BodyBudget"
import { HttpSettings } from "@switchboard/api/http/HttpContext"
import { Effect, Either, Fiber, Layer, TestClock } from "effect"

const mebibyte = 1024 * 1024

const Budget = BodyBudget.Default.pipe(
  Layer.provide(
    Layer.succeed(HttpSettings, {
      trustedProxies: [],
      corsOrigins: [],
      secureCookies: false,
      accessLog: false,
      bodyMemory: 64 * mebibyte
    })
  )
)

const newResponse = () => Object.assign(new EventEmitter(), { destroyed: false })

/** A request that reserves memory until its response closes. */
const request = (owner: string, mebibytes: number) =>
  Effect.gen(function* () {
    const { reserve } = yield* BodyBudget
    const response = newResponse()
    const reserved = yield* Effect.either(reserve(owner, mebibytes * mebibyte, response))
    return {
      outcome: Either.match(reserved, { onLeft: ({ _tag }) => _tag, onRight: () => "read" }),
      end: Effect.sync(() => response.emit("close"))
    }
  })

const outcomeOf = (owner: string, mebibytes: number) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(request(owner, mebibytes))
    yield* TestClock.adjust("5 seconds")
    return yield* Fiber.join(fiber)
  })

describe("BodyBudget", () => {
  it.effect("leaves room for the small bodies of an owner and for other owners", () =>
    Effect.gen(function* () {
      const large = yield* outcomeOf("a", 24)
      const outcomes = yield* Effect.forEach(
        [
          ["a", 24],
          ["a", 1],
          ["b", 22],
          ["c", 24],
          ["c", 1]
        ] as const,
        ([owner, size]) => Effect.map(outcomeOf(owner, size), ({ outcome }) => outcome)
      )
      assert.deepStrictEqual(
        [large.outcome, ...outcomes],
        ["read", "ServiceUnavailableError", "read", "read", "ServiceUnavailableError", "read"]
      )
    }).pipe(Effect.provide(Budget))
  )

  it.effect("grants memory to a waiting body when a request ends", () =>
    Effect.gen(function* () {
      const first = yield* request("a", 35)
      const waiting = yield* Effect.fork(request("b", 35))
      yield* TestClock.adjust("4 seconds")
      yield* first.end
      assert.strictEqual((yield* Fiber.join(waiting)).outcome, "read")
    }).pipe(Effect.provide(Budget))
  )

  it.effect("does not leak memory when a waiting body is interrupted", () =>
    Effect.gen(function* () {
      const first = yield* request("a", 35)
      const waiting = yield* Effect.fork(request("b", 35))
      yield* Effect.yieldNow()
      yield* first.end
      yield* Fiber.interrupt(waiting)
      assert.strictEqual((yield* outcomeOf("c", 48)).outcome, "read")
    }).pipe(Effect.provide(Budget))
  )

  it.effect("releases memory at once if the response is closed", () =>
    Effect.gen(function* () {
      const { reserve } = yield* BodyBudget
      yield* reserve("a", 35 * mebibyte, Object.assign(new EventEmitter(), { destroyed: true }))
      assert.strictEqual((yield* reserve("b", 35 * mebibyte, newResponse())).bytes(), 35 * mebibyte)
    }).pipe(Effect.provide(Budget))
  )

  it.effect("grows a reservation while there is room", () =>
    Effect.gen(function* () {
      const { reserve } = yield* BodyBudget
      const reservation = yield* reserve("a", 1, newResponse())
      assert.isTrue(reservation.resize(24 * mebibyte))
      assert.isTrue(reservation.resize(35 * mebibyte))
      const waiting = yield* Effect.fork(reserve("b", 35 * mebibyte, newResponse()))
      yield* Effect.yieldNow()
      assert.isNull(waiting.unsafePoll())
      assert.isFalse(reservation.resize(49 * mebibyte))
      assert.strictEqual(reservation.bytes(), 35 * mebibyte)
      reservation.release()
      reservation.release()
      assert.strictEqual((yield* Fiber.join(waiting)).bytes(), 35 * mebibyte)
    }).pipe(Effect.provide(Budget))
  )
})
