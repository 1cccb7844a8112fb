import { assert, describe, it } from "@effect/vitest"
import { LogThrottle, logThrottled } from "@switchboard/services/LogThrottle"
import { Effect, TestClock } from "effect"

describe("logThrottled", () => {
  it.effect("runs the log effect once in 30 seconds per subject", () =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      const log = (subject: string) =>
        logThrottled(
          subject,
          Effect.sync(() => void logged.push(subject))
        )
      const all = Effect.all([log("down"), log("down"), log("locked"), log("down")], { discard: true })
      yield* all
      yield* TestClock.adjust("29 seconds")
      yield* all
      assert.deepStrictEqual(logged, ["down", "locked"])
      yield* TestClock.adjust("1 second")
      yield* all
      assert.deepStrictEqual(logged, ["down", "locked", "down", "locked"])
      yield* Effect.provideService(log("down"), LogThrottle, new Map())
      assert.strictEqual(logged.length, 5)
      // The default map is that of the process, in which other tests log too.
    }).pipe(Effect.provideService(LogThrottle, new Map()))
  )
})
