import { assert, describe, it } from "@effect/vitest"
import { makeNextDue } from "@switchboard/store/queues/WorkQueueSql"
import { DateTime, Duration, Effect, Fiber, Option, TestClock } from "effect"

/** Checks the time that a wait takes, to 10 ms, after a promotion; `change` happens in it. */
const waits = <E>(
  expected: number,
  change: (nextDue: Effect.Effect.Success<typeof makeNextDue>) => Effect.Effect<void, E>
) =>
  Effect.gen(function* () {
    const nextDue = yield* makeNextDue
    yield* nextDue.promoting
    const wait = yield* Effect.fork(nextDue.wait)
    yield* Effect.yieldNow()
    yield* change(nextDue)
    yield* TestClock.adjust(expected - 1)
    assert.isTrue(Option.isNone(yield* Fiber.poll(wait)), `${expected} ms`)
    yield* TestClock.adjust(10)
    yield* Fiber.join(wait)
  })

const expectAt = (delay: number) => (nextDue: Effect.Effect.Success<typeof makeNextDue>) =>
  Effect.flatMap(DateTime.now, (now) =>
    nextDue.expect([{ retryAt: null }, { retryAt: DateTime.add(now, { millis: delay }) }])
  )

describe("The time of the next promotion", () => {
  it.effect("is a second later if no entry is known, or the next one is due later", () =>
    Effect.gen(function* () {
      yield* waits(1_000, () => Effect.void)
      yield* waits(1_000, (nextDue) => nextDue.expectIn(Duration.minutes(1)))
      yield* waits(1_000, expectAt(60_000))
    })
  )

  it.effect("is when the first entry is due", () =>
    Effect.gen(function* () {
      yield* waits(400, expectAt(400))
      yield* waits(300, (nextDue) => Effect.zipRight(expectAt(700)(nextDue), expectAt(300)(nextDue)))
      yield* waits(300, (nextDue) => Effect.zipRight(expectAt(300)(nextDue), nextDue.expectIn(Duration.millis(700))))
    })
  )

  it.effect("is at least 100 ms after the last one", () =>
    Effect.gen(function* () {
      yield* waits(100, expectAt(-5_000))
      yield* waits(100, (nextDue) => nextDue.expectIn(Duration.zero))
    })
  )
})
