import { describe, it } from "@effect/vitest"
import { regularly } from "@switchboard/worker/Regularly"
import { Effect, Exit, Queue, Scope, TestClock } from "effect"
import { assert } from "vitest"

/** Lets every fiber run until all of them wait for something. */
const settleDown = Effect.repeatN(Effect.yieldNow(), 50)

describe("a round that is run regularly", () => {
  it.scoped("runs at once, and again after about so long", () =>
    Effect.gen(function* () {
      const rounds = yield* Queue.unbounded<void>()
      yield* regularly(Queue.offer(rounds, undefined), "1 hour", "Counting")
      yield* Queue.take(rounds)
      yield* TestClock.adjust("47 minutes")
      yield* settleDown
      assert.strictEqual(yield* Queue.size(rounds), 0)
      yield* TestClock.adjust("26 minutes")
      yield* Queue.take(rounds)
    })
  )

  it.scoped("goes on after a failure and after a defect", () =>
    Effect.gen(function* () {
      const rounds = yield* Queue.unbounded<void>()
      const broken = [Effect.fail("down"), Effect.die("a bug"), Effect.void]
      const round = Effect.suspend(() => Effect.zipRight(Queue.offer(rounds, undefined), broken.shift() ?? Effect.void))
      yield* regularly(round, "1 hour", "Breaking")
      yield* Queue.take(rounds)
      yield* TestClock.adjust("73 minutes")
      yield* Queue.take(rounds)
      yield* TestClock.adjust("73 minutes")
      yield* Queue.take(rounds)
    })
  )

  it.effect("ends with its scope", () =>
    Effect.gen(function* () {
      const rounds = yield* Queue.unbounded<void>()
      const scope = yield* Scope.make()
      yield* Scope.extend(regularly(Queue.offer(rounds, undefined), "1 hour", "Counting"), scope)
      yield* Queue.take(rounds)
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("3 hours")
      yield* settleDown
      assert.strictEqual(yield* Queue.size(rounds), 0)
    })
  )
})
