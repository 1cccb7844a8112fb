import { assert, describe, it } from "@effect/vitest"
import { LogThrottle, logThrottled } from "@switchboard/services/LogThrottle"
import { Effect, TestClock } from "effect"

describe("logThrottled", () => {
  it.effect("logs a subject once in 30 seconds, and each subject by itself", () =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      const log = (subject: string) =>
        logThrottled(
          subject,
          Effect.sync(() => void logged.push(subject))
        )
      const all = Effect.all([log("away"), log("away"), log("locked"), log("away")], { discard: true })
      yield* all
      yield* TestClock.adjust("29 seconds")
      yield* all
      assert.deepStrictEqual(logged, ["away", "locked"])
      yield* TestClock.adjust("1 second")
      yield* all
      assert.deepStrictEqual(logged, ["away", "locked", "away", "locked"])
      yield* Effect.provideService(log("away"), LogThrottle, new Map())
      assert.strictEqual(logged.length, 5)
    })
  )
})
