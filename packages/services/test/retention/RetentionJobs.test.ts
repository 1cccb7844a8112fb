import { assert, describe, it } from "@effect/vitest"
import { MailReportRepo } from "@switchboard/services/email/reports/MailReportRepo"
import { CreationKeyRepo } from "@switchboard/services/idempotency/CreationKeyRepo"
import { MtaStsPolicyRepo } from "@switchboard/services/messages/delivery/MtaStsPolicyRepo"
import { IdempotencyRepo } from "@switchboard/services/messages/IdempotencyRepo"
import { SendSettings } from "@switchboard/services/messages/SendContext"
import { retentionInterval, retentionJobs } from "@switchboard/services/retention/RetentionJobs"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import {
  defaultAuditRetention,
  defaultRetention,
  RetentionSettings
} from "@switchboard/services/retention/RetentionSettings"
import { SessionRepo } from "@switchboard/services/sessions/SessionRepo"
import { InvitationRepo } from "@switchboard/services/users/InvitationRepo"
import { BigDecimal, Duration, Effect, Layer, Option } from "effect"

const days = (count: number) => Option.some(Duration.days(count))

/** Runs one round of each job; returns what was deleted and after how many days. */
const runJobs = (settings: Partial<typeof RetentionSettings.Service>, dedupeWindow = Duration.seconds(60)) =>
  Effect.gen(function* () {
    const found: Array<readonly [string, number]> = []
    const partitions: Record<string, number | null> = {}
    const remove = (what: string) => (retention: Duration.Duration) =>
      Effect.sync(() => found.push([what, Duration.toDays(retention)]))
    const repos = Layer.mergeAll(
      Layer.succeed(RetentionRepo, {
        eraseBodies: remove("bodies"),
        eraseEvents: remove("events"),
        eraseMailLogs: remove("logs"),
        eraseInboundRaw: remove("raw"),
        deleteWebhooks: remove("webhooks"),
        deleteKeyActivity: remove("activity"),
        deleteAudit: remove("audit"),
        deleteProviderIds: remove("provider ids"),
        updatePartitions: (table, retention) =>
          Effect.sync(() => {
            partitions[table] = Option.getOrNull(Option.map(retention, Duration.toDays))
            return 1
          })
      }),
      Layer.mock(SessionRepo, { deleteExpired: Effect.sync(() => found.push(["sessions", 0])) }),
      Layer.mock(InvitationRepo, { deleteExpired: Effect.sync(() => found.push(["invitations", 0])) }),
      Layer.succeed(IdempotencyRepo, {
        deleteExpired: ({ contents, keys }) =>
          Effect.all({ keys: remove("keys")(keys), contents: remove("contents")(contents) })
      }),
      Layer.mock(CreationKeyRepo, { deleteExpired: remove("creation keys") }),
      Layer.mock(MailReportRepo, { deleteExpired: remove("reports") }),
      Layer.mock(MtaStsPolicyRepo, { deleteExpired: Effect.sync(() => found.push(["MTA-STS policies", 0])) })
    )
    const jobs = yield* retentionJobs.pipe(
      Effect.provide(repos),
      Effect.provideService(SendSettings, {
        dedupeWindow,
        emailUnitCost: BigDecimal.unsafeFromString("0"),
        smsUnitCost: BigDecimal.unsafeFromString("0"),
        whatsappUnitCost: BigDecimal.unsafeFromString("0"),
        retrySchedule: []
      }),
      Effect.provideService(RetentionSettings, {
        messageBodies: Option.none(),
        events: Option.none(),
        inboundRaw: Option.none(),
        webhookAttempts: defaultRetention,
        keyActivity: defaultRetention,
        audit: defaultAuditRetention,
        ...settings
      })
    )
    yield* Effect.forEach(jobs, ({ round }) => round)
    return { found, partitions }
  })

const defaultDeletions: Array<readonly [string, number]> = [
  ["webhooks", 30],
  ["activity", 30],
  ["audit", 400],
  ["provider ids", 30],
  ["sessions", 0],
  ["invitations", 0],
  ["keys", 30],
  ["contents", 1],
  ["creation keys", 30],
  ["reports", 400],
  ["MTA-STS policies", 0]
]

describe("retentionJobs", () => {
  it.effect("deletes each kind of data after its own retention, and nothing without a retention", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* runJobs({})).found, defaultDeletions)
      assert.deepStrictEqual(
        (yield* runJobs({ messageBodies: days(90), events: days(7), inboundRaw: days(1) })).found,
        [
          ["bodies", 90],
          ["events", 7],
          ["logs", 7],
          ["raw", 1],
          ...defaultDeletions.map(([what, count]): readonly [string, number] => [
            what,
            what === "provider ids" || what === "reports" ? 7 : count
          ])
        ]
      )
      assert.deepStrictEqual((yield* runJobs({ inboundRaw: days(2) })).found, [["raw", 2], ...defaultDeletions])
    })
  )

  it.effect("drops the partitions of each table after its own retention", () =>
    Effect.gen(function* () {
      const logs = { webhook_attempts: 30, webhook_deliveries: 30, webhook_bodies: 30 }
      const { partitions } = yield* runJobs({ keyActivity: Duration.days(9) })
      assert.deepStrictEqual(partitions, { events: null, api_key_activity: 9, ...logs })
      assert.strictEqual((yield* runJobs({ events: days(7) })).partitions.events, 7)
    })
  )

  it.effect("keeps contents of sends for a deduplication window longer than a day", () =>
    Effect.gen(function* () {
      assert.deepInclude((yield* runJobs({}, Duration.days(7))).found, ["contents", 7])
    })
  )

  it("runs at intervals that depend on the retention", () => {
    assert.strictEqual(Duration.toSeconds(retentionInterval(Duration.days(30))), 300)
    assert.strictEqual(Duration.toSeconds(retentionInterval(Duration.minutes(10))), 60)
    assert.strictEqual(Duration.toSeconds(retentionInterval(Duration.zero)), 1)
  })
})
