import { assert, describe, it } from "@effect/vitest"
import { eraseExpired } from "@switchboard/services/retention/EraseExpired"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import {
  defaultRetention,
  RetentionSettings,
  retentionInterval
} from "@switchboard/services/retention/RetentionSettings"
import { Duration, Effect, Option } from "effect"

const days = (count: number) => Option.some(Duration.days(count))

/** What is erased, after how many days, with these settings. */
const erased = (settings: Partial<typeof RetentionSettings.Service>) =>
  Effect.gen(function* () {
    const asked: Array<readonly [string, number]> = []
    const erase = (what: string) => (kept: Duration.Duration) =>
      Effect.sync(() => asked.push([what, Duration.toDays(kept)]))
    const jobs = yield* Effect.provideService(
      Effect.provideService(eraseExpired, RetentionRepo, {
        eraseBodies: erase("bodies"),
        eraseEvents: erase("events"),
        eraseMailLogs: erase("logs"),
        eraseInboundRaw: erase("raw")
      }),
      RetentionSettings,
      {
        messageBodies: Option.none(),
        events: Option.none(),
        inboundRaw: Option.none(),
        webhookAttempts: defaultRetention,
        keyActivity: defaultRetention,
        ...settings
      }
    )
    yield* Effect.forEach(jobs, ({ round }) => round)
    return asked
  })

describe("What operators do not want to keep for ever", () => {
  it.effect("is erased, each after its own time, and nothing else", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* erased({}), [])
      assert.deepStrictEqual(yield* erased({ messageBodies: days(90), events: days(7), inboundRaw: days(1) }), [
        ["bodies", 90],
        ["events", 7],
        ["logs", 7],
        ["raw", 1]
      ])
      assert.deepStrictEqual(yield* erased({ inboundRaw: days(2) }), [["raw", 2]])
    })
  )

  it("is looked for often enough", () => {
    assert.strictEqual(Duration.toSeconds(retentionInterval(Duration.days(30))), 300)
    assert.strictEqual(Duration.toSeconds(retentionInterval(Duration.minutes(10))), 60)
    assert.strictEqual(Duration.toSeconds(retentionInterval(Duration.zero)), 1)
  })
})
