import { assert, describe, it } from "@effect/vitest"
import { makeNextDue } from "@switchboard/store/queues/NextDue"
import { DateTime, Duration, Effect, Fiber, TestClock } from "effect"

/** The time that a wait takes, to 10 ms, after a promotion; `change` happens in it. */
const waited = <E>(change: (nextDue: Effect.Effect.Success<typeof makeNextDue>) => Effect.Effect<void, E>) =>
  Effect.gen(function* () {
    const nextDue = yield* makeNextDue
    yield* nextDue.promoting
    const wait = yield* Effect.fork(Effect.timed(nextDue.wait))
    yield* Effect.yieldNow()
    yield* change(nextDue)
    yield* Effect.repeatN(TestClock.adjust("10 millis"), 110)
    const [took] = yield* Fiber.join(wait)
    return Math.floor(Duration.toMillis(took) / 10) * 10
  })

const expectAt = (delay: number) => (nextDue: Effect.Effect.Success<typeof makeNextDue>) =>
  Effect.flatMap(DateTime.now, (now) =>
    nextDue.expect([{ retryAt: null }, { retryAt: DateTime.add(now, { millis: delay }) }])
  )

describe("The time of the next promotion", () => {
  it.effect("is a second later if no entry is known, or the next one is due later", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* waited(() => Effect.void), 1_000)
      assert.strictEqual(yield* waited((nextDue) => nextDue.expectIn(Duration.minutes(1))), 1_000)
      assert.strictEqual(yield* waited(expectAt(60_000)), 1_000)
    })
  )

  it.effect("is when the first entry is due", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* waited(expectAt(400)), 400)
      assert.strictEqual(
        yield* waited((nextDue) => Effect.zipRight(expectAt(700)(nextDue), expectAt(300)(nextDue))),
        300
      )
      assert.strictEqual(
        yield* waited((nextDue) => Effect.zipRight(expectAt(300)(nextDue), nextDue.expectIn(Duration.millis(700)))),
        300
      )
    })
  )

  it.effect("is at least 100 ms after the last one", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* waited(expectAt(-5_000)), 100)
      assert.strictEqual(yield* waited((nextDue) => nextDue.expectIn(Duration.zero)), 100)
    })
  )
})
