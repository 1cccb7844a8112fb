import { assert, it } from "@effect/vitest"
import { BigDecimal, Duration, Effect, Layer } from "effect"
import { deleteExpiredSends } from "../../src/messages/DeleteExpiredSends.js"
import { IdempotencyRepo } from "../../src/messages/IdempotencyRepo.js"
import { SendSettings } from "../../src/messages/SendSettings.js"

/** How long records are kept, in days. */
const asked = (dedupeWindow: Duration.Duration) =>
  Effect.gen(function* () {
    const kept: Array<ReadonlyArray<number>> = []
    const repo = Layer.succeed(IdempotencyRepo, {
      deleteExpired: ({ contents, keys }) =>
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
    const { round } = yield* Effect.provide(deleteExpiredSends, Layer.merge(repo, settings))
    assert.strictEqual(yield* round, 3)
    return kept
  })

it.effect("deletes keys of sends after 30 days, contents after a day", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* asked(Duration.seconds(60)), [[30, 1]])
  })
)

it.effect("keeps contents as long as a window that is longer than a day", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* asked(Duration.days(7)), [[30, 7]])
  })
)
