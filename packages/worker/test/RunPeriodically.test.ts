import { describe, it } from "@effect/vitest"
import { runPeriodically } from "@switchboard/worker/ScheduledJobs"
import { Effect, Exit, Queue, Scope, TestClock } from "effect"
import { assert } from "vitest"

/** Runs all fibers until each of them waits. */
const settleDown = Effect.repeatN(Effect.yieldNow(), 50)

describe("runPeriodically", () => {
  it.scoped("runs at once, and again after the jittered interval", () =>
    Effect.gen(function* () {
      const rounds = yield* Queue.unbounded<void>()
      yield* runPeriodically(Queue.offer(rounds, undefined), "1 hour", "Counting")
      yield* Queue.take(rounds)
      yield* TestClock.adjust("47 minutes")
      yield* settleDown
      assert.strictEqual(yield* Queue.size(rounds), 0)
      yield* TestClock.adjust("26 minutes")
      yield* Queue.take(rounds)
    })
  )

  it.scoped("continues after a failure and after a defect", () =>
    Effect.gen(function* () {
      const rounds = yield* Queue.unbounded<void>()
      const broken = [Effect.fail("down"), Effect.die("a bug"), Effect.void]
      const round = Effect.suspend(() => Effect.zipRight(Queue.offer(rounds, undefined), broken.shift() ?? Effect.void))
      yield* runPeriodically(round, "1 hour", "Breaking")
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
      yield* Scope.extend(runPeriodically(Queue.offer(rounds, undefined), "1 hour", "Counting"), scope)
      yield* Queue.take(rounds)
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("3 hours")
      yield* settleDown
      assert.strictEqual(yield* Queue.size(rounds), 0)
    })
  )
})
