import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { SessionRepo } from "@switchboard/services/sessions/SessionRepo"
import { Effect, Layer, Queue, TestClock } from "effect"
import { SessionWorker } from "../../src/sessions/SessionWorker.js"

const unused = () => Effect.dieMessage("not asked for by this test")

it.scoped("forgets log-ins that are over about every hour, also after a round that failed", () =>
  Effect.gen(function* () {
    const rounds = yield* Queue.unbounded<void>()
    const away = new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })
    yield* Layer.build(
      SessionWorker.pipe(
        Layer.provide(
          Layer.succeed(SessionRepo, {
            insert: unused,
            findKeyHash: unused,
            remove: unused,
            forgetExpired: Effect.zipRight(Queue.offer(rounds, undefined), away)
          })
        )
      )
    )
    yield* Queue.take(rounds)
    assert.strictEqual(yield* Queue.size(rounds), 0)
    yield* TestClock.adjust("73 minutes")
    yield* Queue.take(rounds)
  })
)
