import { assert, describe, it } from "@effect/vitest"
import { KeyActivityRepo } from "@switchboard/services/apiKeys/KeyActivityRepo"
import { IdempotencyRepo } from "@switchboard/services/messages/IdempotencyRepo"
import { SendSettings } from "@switchboard/services/messages/SendSettings"
import { retentionInterval, retentionJobs } from "@switchboard/services/retention/RetentionJobs"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { defaultRetention, RetentionSettings } from "@switchboard/services/retention/RetentionSettings"
import { SessionRepo } from "@switchboard/services/sessions/SessionRepo"
import { WebhookQueue } from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { BigDecimal, Duration, Effect, Layer, Option } from "effect"

const days = (count: number) => Option.some(Duration.days(count))

/** What one round of each job deletes, and after how many days. */
const deleted = (settings: Partial<typeof RetentionSettings.Service>, dedupeWindow = Duration.seconds(60)) =>
  Effect.gen(function* () {
    const found: Array<readonly [string, number]> = []
    const remove = (what: string) => (retention: Duration.Duration) =>
      Effect.sync(() => found.push([what, Duration.toDays(retention)]))
    const repos = Layer.mergeAll(
      Layer.succeed(RetentionRepo, {
        eraseBodies: remove("bodies"),
        eraseEvents: remove("events"),
        eraseMailLogs: remove("logs"),
        eraseInboundRaw: remove("raw")
      }),
      Layer.mock(WebhookQueue, { forget: remove("webhooks") }),
      Layer.mock(KeyActivityRepo, { forget: remove("activity") }),
      Layer.mock(SessionRepo, { deleteExpired: Effect.sync(() => found.push(["sessions", 0])) }),
      Layer.succeed(IdempotencyRepo, {
        deleteExpired: ({ contents, keys }) =>
          Effect.all({ keys: remove("keys")(keys), contents: remove("contents")(contents) })
      })
    )
    const jobs = yield* retentionJobs.pipe(
      Effect.provide(repos),
      Effect.provideService(SendSettings, {
        dedupeWindow,
        emailUnitCost: BigDecimal.unsafeFromString("0"),
        retrySchedule: []
      }),
      Effect.provideService(RetentionSettings, {
        messageBodies: Option.none(),
        events: Option.none(),
        inboundRaw: Option.none(),
        webhookAttempts: defaultRetention,
        keyActivity: defaultRetention,
        ...settings
      })
    )
    yield* Effect.forEach(jobs, ({ round }) => round)
    return found
  })

const always: Array<readonly [string, number]> = [
  ["webhooks", 30],
  ["activity", 30],
  ["sessions", 0],
  ["keys", 30],
  ["contents", 1]
]

describe("retentionJobs", () => {
  it.effect("delete each kind of data after its own retention, and nothing that has none", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* deleted({}), always)
      assert.deepStrictEqual(yield* deleted({ messageBodies: days(90), events: days(7), inboundRaw: days(1) }), [
        ["bodies", 90],
        ["events", 7],
        ["logs", 7],
        ["raw", 1],
        ...always
      ])
      assert.deepStrictEqual(yield* deleted({ inboundRaw: days(2) }), [["raw", 2], ...always])
    })
  )

  it.effect("keep contents of sends as long as a window that is longer than a day", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* deleted({}, Duration.days(7)), ["contents", 7])
    })
  )

  it("run often enough", () => {
    assert.strictEqual(Duration.toSeconds(retentionInterval(Duration.days(30))), 300)
    assert.strictEqual(Duration.toSeconds(retentionInterval(Duration.minutes(10))), 60)
    assert.strictEqual(Duration.toSeconds(retentionInterval(Duration.zero)), 1)
  })
})
