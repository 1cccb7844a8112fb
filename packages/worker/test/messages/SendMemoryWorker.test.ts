import { assert, it } from "@effect/vitest"
import { SendMemory } from "@switchboard/services/messages/SendMemory"
import { SendSettings } from "@switchboard/services/messages/SendSettings"
import { BigDecimal, Duration, Effect, Layer, Queue, TestClock } from "effect"
import { SendMemoryWorker } from "../../src/messages/SendMemoryWorker.js"

interface Kept {
  readonly keys: Duration.Duration
  readonly contents: Duration.Duration
}

/** A worker whose memory tells what it was asked to forget. */
const started = (dedupeWindow: Duration.Duration) =>
  Effect.gen(function* () {
    const asked = yield* Queue.unbounded<Kept>()
    yield* Layer.build(
      SendMemoryWorker.pipe(
        Layer.provide(
          Layer.succeed(SendMemory, {
            forget: (kept) => Effect.as(Queue.offer(asked, kept), { keys: 1, contents: 2 })
          })
        ),
        Layer.provide(
          Layer.succeed(SendSettings, {
            dedupeWindow,
            emailUnitCost: BigDecimal.unsafeFromString("0"),
            retrySchedule: []
          })
        )
      )
    )
    return Effect.map(Queue.take(asked), ({ contents, keys }) => ({
      keys: Duration.toDays(keys),
      contents: Duration.toDays(contents)
    }))
  })

it.scoped("forgets keys after 30 days and contents after a day, about every hour", () =>
  Effect.gen(function* () {
    const asked = yield* started(Duration.seconds(60))
    assert.deepStrictEqual(yield* asked, { keys: 30, contents: 1 })
    yield* TestClock.adjust("73 minutes")
    assert.deepStrictEqual(yield* asked, { keys: 30, contents: 1 })
  })
)

it.scoped("keeps contents as long as a window that is longer than a day", () =>
  Effect.gen(function* () {
    const asked = yield* started(Duration.days(7))
    assert.deepStrictEqual(yield* asked, { keys: 30, contents: 7 })
  })
)
