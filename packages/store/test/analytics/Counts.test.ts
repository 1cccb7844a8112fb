import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { DeliveryFigures, Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { AnalyticsRepoSql } from "@switchboard/store/analytics/AnalyticsRepoSql"
import { M0010MessageCounts } from "@switchboard/store/migrations/M0010MessageCounts"
import { DateTime, Effect, FastCheck, Layer } from "effect"
import { vi } from "vitest"
import { makeOrganization } from "../messages/Fixtures.js"
import { emptyQueue, Live as Queue } from "../messages/QueueFixtures.js"
import { type Lives, live, lives } from "./Lives.js"
import { countsOf, type Moment, moments, percentileOf, within } from "./Recount.js"

const Live = AnalyticsRepoSql.pipe(Layer.provideMerge(Queue))

/** A clock that tests set; everything else takes the time that it takes. */
const ownClock = Effect.acquireRelease(
  Effect.sync(() => vi.useFakeTimers({ toFake: ["Date"] })),
  () => Effect.sync(() => vi.useRealTimers())
)

/** Ids of a process never go back in time: everything happens after what happened before, and after this. */
let now = DateTime.add(DateTime.unsafeNow(), { days: 1 })

const inZone = (organization: OrganizationId, timezone: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE organizations SET timezone = ${timezone} WHERE id = ${organization}`
  )

/** An organization whose messages have lived, and what is to be counted of that. */
const livedThrough = Effect.fnUntraced(function* (
  seed: number,
  timezone: string,
  mayHappen: (one: Lives[number]) => boolean = () => true
) {
  yield* ownClock
  yield* emptyQueue
  const start = now
  const organization = yield* makeOrganization()
  yield* inZone(organization, timezone)
  const [what = []] = FastCheck.sample(lives, { seed, numRuns: 1 })
  const { end, remembered } = yield* live(organization, what.filter(mayHappen), start)
  now = end
  return { organization, start, end, all: yield* moments(organization, remembered) }
})

/** Ranges that begin and end where something happens, a millisecond beside it, and where nothing is. */
const rangesOf = (seed: number, all: ReadonlyArray<Moment>, start: DateTime.Utc, end: DateTime.Utc) => {
  const [min, max] = [DateTime.toEpochMillis(start), DateTime.toEpochMillis(end)]
  const instant = FastCheck.oneof(
    FastCheck.tuple(FastCheck.constantFrom(...all.map(({ at }) => at)), FastCheck.constantFrom(-1, 0, 1)).map(
      ([at, beside]) => at + beside
    ),
    FastCheck.integer({ min, max }).map((at) => Math.floor(at / quarter) * quarter)
  )
  return FastCheck.sample(FastCheck.tuple(instant, instant), { seed, numRuns: 25 }).map((pair) => {
    const [from = 0, until = 0] = [...pair].sort((one, other) => one - other)
    return { start: DateTime.unsafeMake(from), end: DateTime.unsafeMake(until) }
  })
}

const zones = ["Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "Pacific/Chatham", "UTC"] as const

const zoned = (at: number, timezone: string) => DateTime.unsafeMakeZoned(at, { timeZone: timezone })

const beginningOf = (at: number, timezone: string, granularity: Granularity) =>
  DateTime.toEpochMillis(DateTime.startOf(zoned(at, timezone), granularity))

const quarter = 900_000

/** When the hours or days of a range begin. */
const periodsOf = ({ end, start }: DateRange, timezone: string, granularity: Granularity) => {
  const periods = new Set<number>()
  const [from, until] = [DateTime.toEpochMillis(start), DateTime.toEpochMillis(end)]
  for (let at = Math.floor(from / quarter) * quarter; at < until; at += quarter) {
    periods.add(beginningOf(at, timezone, granularity))
  }
  return [...periods]
}

/** By a key, in its order. */
const grouped = (all: ReadonlyArray<Moment>, keyOf: (one: Moment) => number) => {
  const groups = new Map<number, Array<Moment>>()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return [...groups].sort(([one], [other]) => one - other)
}

/** Counts are exact, and times within half of their last of six binary digits. */
const assertFigures = ({ p50Ms, p95Ms, ...figures }: DeliveryFigures, own: ReadonlyArray<Moment>) => {
  const { bounced, delivered, failed, sent } = countsOf(own)
  assert.deepStrictEqual(figures, { sent, delivered, failed, bounced })
  for (const [counted, part] of [
    [p50Ms, 0.5],
    [p95Ms, 0.95]
  ] as const) {
    const exact = percentileOf(own, part)
    assert.isAtMost(Math.abs(counted - exact), exact < 64 ? 0 : exact / 64)
  }
}

/** What the lives of all tests had. */
const met: Array<Moment> = []

/** Everything that migration 10 made is gone: the schema of the release before. */
const undone = `
DROP TRIGGER events_counts ON events;
DROP TRIGGER messages_deleted ON messages;
DROP TRIGGER message_states_deleted ON message_states;
DROP FUNCTION count_messages, keep_deleted_messages, keep_deleted_states, counted_event, is_counted, rounded_latency,
  quarter_of;
DROP TABLE message_counts, message_latencies, message_count_changes, deleted_messages;
DROP INDEX messages_parties;`

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("What is counted", (it) => {
  for (const [seed, timezone] of zones.entries()) {
    it.scoped(
      `is what a recount of everything finds, in any range, whatever messages live through (${timezone})`,
      () =>
        Effect.gen(function* () {
          const repo = yield* AnalyticsRepo
          const { all, end, organization, start } = yield* livedThrough(seed, timezone)
          met.push(...all)
          const ranges = rangesOf(seed, all, start, DateTime.add(end, { seconds: 1 }))
          for (const range of [{ start, end: DateTime.add(end, { millis: 1 }) }, ...ranges]) {
            const own = within(all, range)
            const [counted, ...others] = yield* repo.byChannel(organization, range)
            assert.deepStrictEqual(others, [])
            if (own.length === 0) assert.isUndefined(counted)
            else assert.deepStrictEqual(counted, { channel: "email", ...countsOf(own) })

            assert.deepStrictEqual(
              (yield* repo.byHourOfDay(organization, range)).toSorted((one, other) => one.hour - other.hour),
              grouped(own, ({ at }) => DateTime.getPart(zoned(at, timezone), "hours")).map(([hour, ones]) => {
                const { accepted, delivered, failed, received } = countsOf(ones)
                return { hour, count: accepted + received, delivered, failed }
              })
            )
            for (const granularity of ["hour", "day"] as const) {
              const { series, totals } = yield* repo.byPeriod(organization, range, granularity)
              assertFigures(totals, own)
              const byPeriod = new Map(grouped(own, ({ at }) => beginningOf(at, timezone, granularity)))
              assert.deepStrictEqual(
                series.map(({ timestamp }) => DateTime.toEpochMillis(timestamp)),
                periodsOf(range, timezone, granularity)
              )
              for (const { timestamp, ...figures } of series) {
                assertFigures(figures, byPeriod.get(DateTime.toEpochMillis(timestamp)) ?? [])
              }
            }
          }
        }),
      300_000
    )
  }

  it("was something of everything", () => {
    const { cost, ...counts } = countsOf(met)
    assert.notStrictEqual(cost, "0")
    assert.notInclude(Object.values(counts), 0, JSON.stringify(counts))
  })

  it.scoped(
    "is also what happened before there were counts",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const repo = yield* AnalyticsRepo
        yield* sql.unsafe(undone)
        const { all, end, organization, start } = yield* livedThrough(
          5,
          "UTC",
          ({ what }) => what.do !== "gather" && what.do !== "write"
        )
        yield* sql.withTransaction(sql.unsafe(M0010MessageCounts))
        const range = { start, end: DateTime.add(end, { millis: 1 }) }
        const kept = new Set(
          (yield* sql<{ id: string }>`SELECT id FROM messages
          WHERE organization_id = ${organization}`).map(({ id }) => id)
        )
        const wanted = countsOf(all.map((one) => (kept.has(one.subject) ? one : { ...one, cost: "0" })))
        assert.isBelow(kept.size, wanted.accepted)
        assert.deepStrictEqual(yield* repo.byChannel(organization, range), [{ channel: "email", ...wanted }])
        assertFigures((yield* repo.byPeriod(organization, range, "day")).totals, all)
      }),
    300_000
  )
})
