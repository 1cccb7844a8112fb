import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { type DateRange, quarterAfter, quarterOf } from "@switchboard/domain/analytics/DateRange"
import type { DeliveryFigures, Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { senderOutcomes } from "@switchboard/store/email/senders/SenderOutcomes"
import { firstIdAt } from "@switchboard/store/FirstIdAt"
import { DateTime, Effect, FastCheck } from "effect"
import { vi } from "vitest"
import { makeOrganization } from "../messages/Fixtures.js"
import { emptyQueue } from "../messages/QueueFixtures.js"
import { listedTotals } from "../messages/Totals.js"
import { OwnStoreLive } from "../StoreLive.js"
import { deliveryPeriods } from "./DeliveryPeriods.js"
import { assertTop } from "./MadeParties.js"
import { applyEvents, randomEvents } from "./RandomEvents.js"
import {
  type CountedEvent,
  countedEvents,
  countsOf,
  type KnownMessages,
  outcomesSince,
  percentileOf,
  placesWithin,
  within
} from "./Recount.js"

/** Tests set `Date`; timers run in real time. */
const ownClock = Effect.acquireRelease(
  Effect.sync(() => vi.useFakeTimers({ toFake: ["Date"] })),
  () => Effect.sync(() => vi.useRealTimers())
)

/** Each test starts after the previous one. */
let now = DateTime.add(DateTime.unsafeNow(), { days: 1 })

const inZone = (organization: OrganizationId, timezone: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE organizations SET timezone = ${timezone} WHERE id = ${organization}`
  )

/** An organization with random events of messages, and the expected counts. */
const simulate = Effect.fnUntraced(function* (seed: number, timezone: string) {
  yield* ownClock
  yield* emptyQueue
  const start = now
  const organization = yield* makeOrganization()
  yield* inZone(organization, timezone)
  const [what = []] = FastCheck.sample(randomEvents, { seed, numRuns: 1 })
  const { end, recorded } = yield* applyEvents(organization, what, start)
  now = end
  return { organization, start, end, recorded, all: yield* countedEvents(organization, recorded) }
})

/** Ranges that start and end at an event, a millisecond beside one, or at a quarter hour. */
const rangesOf = (seed: number, all: ReadonlyArray<CountedEvent>, start: DateTime.Utc, end: DateTime.Utc) => {
  const [min, max] = [DateTime.toEpochMillis(start), DateTime.toEpochMillis(end)]
  const instant = FastCheck.oneof(
    FastCheck.tuple(FastCheck.constantFrom(...all.map(({ at }) => at)), FastCheck.constantFrom(-1, 0, 1)).map(
      ([at, beside]) => at + beside
    ),
    FastCheck.integer({ min, max }).map((at) => Math.floor(at / quarter) * quarter)
  )
  return FastCheck.sample(FastCheck.tuple(instant, instant), { seed, numRuns: 8 }).map((pair) => {
    const [from = 0, until = 0] = [...pair].sort((one, other) => one - other)
    return { start: DateTime.unsafeMake(from), end: DateTime.unsafeMake(until) }
  })
}

const zones = ["Europe/Berlin", "Asia/Kathmandu", "America/St_Johns"] as const

const zoned = (at: number, timezone: string) => DateTime.unsafeMakeZoned(at, { timeZone: timezone })

const beginningOf = (at: number, timezone: string, granularity: Granularity) =>
  DateTime.toEpochMillis(DateTime.startOf(zoned(at, timezone), granularity))

const quarter = 900_000

/** The starts of the hours or days of a range. */
const periodsOf = ({ end, start }: DateRange, timezone: string, granularity: Granularity) => {
  const periods = new Set<number>()
  const [from, until] = [DateTime.toEpochMillis(start), DateTime.toEpochMillis(end)]
  for (let at = Math.floor(from / quarter) * quarter; at < until; at += quarter) {
    periods.add(beginningOf(at, timezone, granularity))
  }
  return [...periods]
}

/** Groups by a key, ordered by it. */
const grouped = (all: ReadonlyArray<CountedEvent>, keyOf: (one: CountedEvent) => number) => {
  const groups = new Map<number, Array<CountedEvent>>()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return [...groups].sort(([one], [other]) => one - other)
}

/** Counts are exact; latencies are rounded to six binary digits. */
const assertFigures = ({ p50Ms, p95Ms, ...figures }: DeliveryFigures, own: ReadonlyArray<CountedEvent>) => {
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

/** Compares every figure of a range with a recount. */
const assertRange = Effect.fnUntraced(function* (
  organization: OrganizationId,
  all: ReadonlyArray<CountedEvent>,
  range: DateRange,
  timezone: string
) {
  const repo = yield* AnalyticsRepo
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
    const { series, totals } = yield* deliveryPeriods(organization, range, granularity)
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
})

/** Compares the active conversations of a range with a recount. */
const assertConversations = Effect.fnUntraced(function* (
  organization: OrganizationId,
  recorded: KnownMessages,
  range: DateRange
) {
  const { activeConversations } = yield* AnalyticsRepo
  const messages = [...recorded.values()].map(({ at, conversation }) => ({ at: at.getTime(), conversation }))
  const active = new Set(within(messages, range).map(({ conversation }) => conversation))
  active.delete(null)
  assert.strictEqual(yield* activeConversations(organization, range), active.size)
})

/** Compares the outcomes of each sender's messages, accepted since the start of a day, with a recount. */
const assertSenders = Effect.fnUntraced(function* (
  organization: OrganizationId,
  recorded: KnownMessages,
  since: DateTime.Utc
) {
  const sql = yield* SqlClient.SqlClient
  const senders = yield* sql<{ id: string; address: EmailAddress }>`SELECT participant_id AS id, address
    FROM participant_addresses WHERE organization_id = ${organization} AND kind = 'email'`
  const outcomes = yield* senderOutcomes(
    sql,
    organization,
    senders.map(({ address }) => address),
    since
  )
  for (const { address, id } of senders) {
    const counted = outcomes.get(address) ?? { sent: 0, bounced: 0, complained: 0 }
    assert.deepStrictEqual(counted, outcomesSince(recorded, id, since))
  }
})

/** Compares the totals above 10,000, which are stored for any number, with a recount. */
const assertTotals = Effect.fnUntraced(function* (organization: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const stored = yield* sql`SELECT kind, messages::int FROM rollup_totals
    WHERE organization_id = ${organization} AND messages <> 0 ORDER BY kind`
  const counted = yield* sql`SELECT listed_status AS kind, count(*)::int AS messages FROM message_states
    WHERE organization_id = ${organization} AND listed_status <> 'open' GROUP BY 1 ORDER BY 1`
  assert.deepStrictEqual(stored, counted)
})

/** Compares the participants with the most messages, and recipients by place, with a recount. */
const assertParticipants = Effect.fnUntraced(function* (
  organization: OrganizationId,
  recorded: KnownMessages,
  range: DateRange
) {
  const repo = yield* AnalyticsRepo
  yield* assertTop(organization, range)
  const quarters = { start: quarterOf(range.start), end: quarterAfter(range.end) }
  const places = Object.fromEntries(
    (yield* repo.recipients(organization, quarters)).map((one) => [
      `${one.country ?? "-"} ${one.region ?? "-"}`,
      one.count
    ])
  )
  assert.deepStrictEqual(places, placesWithin(recorded, quarters))
  // The places of incomplete quarter hours are the present ones.
  const sum = (counts: ReadonlyArray<number>) => counts.reduce((total, one) => total + one, 0)
  assert.strictEqual(
    sum((yield* repo.recipients(organization, range)).map(({ count }) => count)),
    sum(Object.values(placesWithin(recorded, range)))
  )
})

layer(OwnStoreLive, { excludeTestServices: true })("Message counts", (it) => {
  it.scoped("and totals of lists equal a recount of all events in any range, in any time zone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { project, rebuild } = yield* RollupRepo
      const seen: Array<CountedEvent> = []
      for (const [place, timezone] of zones.entries()) {
        const seed = place + 10
        const { all, end, organization, recorded, start } = yield* simulate(seed, timezone)
        seen.push(...all)
        const stored = yield* sql<{ status: string; count: number }>`SELECT coalesce(status, 'all') AS status,
          count(*)::int AS count FROM message_states WHERE organization_id = ${organization} GROUP BY ROLLUP (status)`
        const totals = Object.fromEntries(stored.map(({ count, status }) => [status, count]))
        assert.deepStrictEqual(yield* listedTotals(organization), totals)
        yield* Effect.all([project, project, project], { concurrency: "unbounded" })
        yield* assertTotals(organization)
        const complete = { start, end: DateTime.add(end, { millis: 1 }) }
        for (const range of [complete, ...rangesOf(seed, all, start, DateTime.add(end, { seconds: 1 }))]) {
          yield* assertRange(organization, all, range, timezone)
          yield* assertConversations(organization, recorded, range)
          yield* assertParticipants(organization, recorded, range)
        }
        const days = [start, DateTime.add(start, { days: 1 }), end].map((at) => DateTime.startOf(at, "day"))
        const assertDays = Effect.forEach(days, (day) => assertSenders(organization, recorded, day))
        yield* assertDays
        yield* rebuild(organization)
        yield* assertRange(organization, all, complete, timezone)
        yield* assertParticipants(organization, recorded, complete)
        yield* assertDays
        yield* assertTotals(organization)
        // Figures of deleted events stay as they are.
        const middle = DateTime.unsafeMake((DateTime.toEpochMillis(start) + DateTime.toEpochMillis(end)) / 2)
        yield* sql`DELETE FROM events WHERE organization_id = ${organization} AND id < ${firstIdAt(middle)}`
        const from = yield* rebuild(organization)
        assert.isTrue(DateTime.between(from, { minimum: start, maximum: end }))
        const quarters = { start: quarterOf(start), end: quarterAfter(end) }
        yield* assertRange(organization, all, quarters, timezone)
        yield* assertParticipants(organization, recorded, quarters)
        yield* assertDays
      }
      // Every kind of event has occurred.
      const { cost, ...counts } = countsOf(seen)
      assert.notStrictEqual(cost, "0")
      assert.notInclude(Object.values(counts), 0, JSON.stringify(counts))
    })
  )
})
