import { assert, it } from "@effect/vitest"
import { BigDecimal, Duration, Effect, Layer } from "effect"
import { forgetSends } from "../../src/messages/ForgetSends.js"
import { SendMemory } from "../../src/messages/SendMemory.js"
import { SendSettings } from "../../src/messages/SendSettings.js"

/** What the memory is asked to keep, in days. */
const asked = (dedupeWindow: Duration.Duration) =>
  Effect.gen(function* () {
    const kept: Array<ReadonlyArray<number>> = []
    const memory = Layer.succeed(SendMemory, {
      forget: ({ contents, keys }) =>
        Effect.sync(() => {
          kept.push([Duration.toDays(keys), Duration.toDays(contents)])
          return { keys: 1, contents: 2 }
        })
    })
    const settings = Layer.succeed(SendSettings, {
      dedupeWindow,
      emailUnitCost: BigDecimal.unsafeFromString("0"),
      retrySchedule: []
    })
    const { round } = yield* Effect.provide(forgetSends, Layer.merge(memory, settings))
    assert.strictEqual(yield* round, 3)
    return kept
  })

it.effect("keys of sends are forgotten after 30 days, contents after a day", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* asked(Duration.seconds(60)), [[30, 1]])
  })
)

it.effect("contents are kept as long as a window that is longer than a day", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* asked(Duration.days(7)), [[30, 7]])
  })
)
