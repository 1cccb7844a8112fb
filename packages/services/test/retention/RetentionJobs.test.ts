import { assert, describe, it } from "@effect/vitest"
import { KeyActivityRepo } from "@switchboard/services/apiKeys/KeyActivityRepo"
import { CreationKeyRepo } from "@switchboard/services/idempotency/CreationKeyRepo"
import { IdempotencyRepo } from "@switchboard/services/messages/IdempotencyRepo"
import { SendSettings } from "@switchboard/services/messages/SendContext"
import { deletionAge, PartitionRepo, partitionWidth } from "@switchboard/services/retention/PartitionRepo"
import { retentionInterval, retentionJobs } from "@switchboard/services/retention/RetentionJobs"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { defaultRetention, RetentionSettings } from "@switchboard/services/retention/RetentionSettings"
import { SessionRepo } from "@switchboard/services/sessions/SessionRepo"
import { WebhookQueue } from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { BigDecimal, Duration, Effect, Layer, Option } from "effect"

const days = (count: number) => Option.some(Duration.days(count))

/** Runs one round of each job; returns what was deleted and after how many days. */
const runJobs = (settings: Partial<typeof RetentionSettings.Service>, dedupeWindow = Duration.seconds(60)) =>
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
      Layer.succeed(PartitionRepo, { update: () => Effect.succeed(0) }),
      Layer.mock(WebhookQueue, { deleteExpired: remove("webhooks") }),
      Layer.mock(KeyActivityRepo, { deleteExpired: remove("activity") }),
      Layer.mock(SessionRepo, { deleteExpired: Effect.sync(() => found.push(["sessions", 0])) }),
      Layer.succeed(IdempotencyRepo, {
        deleteExpired: ({ contents, keys }) =>
          Effect.all({ keys: remove("keys")(keys), contents: remove("contents")(contents) })
      }),
      Layer.mock(CreationKeyRepo, { deleteExpired: remove("creation keys") })
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

const defaultDeletions: Array<readonly [string, number]> = [
  ["webhooks", 30],
  ["activity", Duration.toDays(deletionAge(Duration.days(30)))],
  ["sessions", 0],
  ["keys", 30],
  ["contents", 1],
  ["creation keys", 30]
]

describe("retentionJobs", () => {
  it.effect("deletes each kind of data after its own retention, and nothing without a retention", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* runJobs({}), defaultDeletions)
      assert.deepStrictEqual(yield* runJobs({ messageBodies: days(90), events: days(7), inboundRaw: days(1) }), [
        ["bodies", 90],
        ["events", Duration.toDays(deletionAge(Duration.days(7)))],
        ["logs", 7],
        ["raw", 1],
        ...defaultDeletions
      ])
      assert.deepStrictEqual(yield* runJobs({ inboundRaw: days(2) }), [["raw", 2], ...defaultDeletions])
    })
  )

  it.effect("keeps contents of sends for a deduplication window longer than a day", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* runJobs({}, Duration.days(7)), ["contents", 7])
    })
  )

  it("divides data by a tenth of its retention, so that there are few partitions", () => {
    const days = (retention: Duration.DurationInput) =>
      Duration.toDays(partitionWidth(Option.some(Duration.decode(retention))))
    assert.deepStrictEqual([days("1 hour"), days("7 days"), days("30 days"), days("90 days")], [1, 1, 3, 9])
    assert.deepStrictEqual([days("365 days"), Duration.toDays(partitionWidth(Option.none()))], [28, 84])
  })

  it("deletes rows one by one only after their partition would have been dropped", () => {
    for (const retention of [Duration.days(1), Duration.days(7), Duration.days(30), Duration.days(365)]) {
      const dropped = Duration.sum(retention, partitionWidth(Option.some(retention)))
      assert.isTrue(Duration.greaterThan(deletionAge(retention), dropped))
    }
    assert.strictEqual(Duration.toMinutes(deletionAge(Duration.hours(1))), 66)
  })

  it("runs at intervals that depend on the retention", () => {
    assert.strictEqual(Duration.toSeconds(retentionInterval(Duration.days(30))), 300)
    assert.strictEqual(Duration.toSeconds(retentionInterval(Duration.minutes(10))), 60)
    assert.strictEqual(Duration.toSeconds(retentionInterval(Duration.zero)), 1)
  })
})
