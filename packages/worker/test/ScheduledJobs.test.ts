import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { ScheduledJob } from "@switchboard/services/ScheduledJob"
import { ScheduledJobs } from "@switchboard/worker/ScheduledJobs"
import { Effect, Layer, Queue, TestClock } from "effect"

/** Runs all fibers until each of them waits. */
const settleDown = Effect.repeatN(Effect.yieldNow(), 50)

it.scoped("runs each job at once and at its own interval, beside a hanging and a failing job", () =>
  Effect.gen(function* () {
    const done = yield* Queue.unbounded<string>()
    const job = (what: string, every: ScheduledJob["every"], then: ScheduledJob["round"]): ScheduledJob => ({
      what,
      every,
      round: Effect.zipRight(Queue.offer(done, what), then)
    })
    const away = new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })
    yield* Layer.build(
      ScheduledJobs(
        Effect.succeed([
          job("hanging", "1 minute", Effect.never),
          job("failing", "1 hour", away),
          job("working", "10 minutes", Effect.succeed(3))
        ])
      )
    )
    const counts = Effect.map(Queue.takeAll(done), (names) => {
      const rounds = [...names]
      return ["hanging", "failing", "working"].map((what) => rounds.filter((name) => name === what).length)
    })
    yield* settleDown
    assert.deepStrictEqual(yield* counts, [1, 1, 1])
    for (let minute = 0; minute < 73; minute++) {
      yield* TestClock.adjust("1 minute")
      yield* settleDown
    }
    const [hanging, failing, working = 0] = yield* counts
    assert.deepStrictEqual([hanging, failing], [0, 1])
    // The interval of ten minutes is jittered.
    assert.isTrue(working >= 6 && working <= 9, `${working} rounds`)
  })
)
