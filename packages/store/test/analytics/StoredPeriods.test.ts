import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { Array, DateTime, Effect, FastCheck, Layer } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { assertPeriods, createMadeMessages, makeMessages } from "./MadeCounts.js"
import { range } from "./Ranges.js"

const Live = Layer.provideMerge(Layer.effectDiscard(createMadeMessages), OwnStoreLive)

const quarter = 900_000

/** Ranges of complete quarter hours within another range. */
const rangesIn = ({ end, start }: DateRange, numRuns: number) => {
  const at = FastCheck.integer({
    min: DateTime.toEpochMillis(start) / quarter,
    max: DateTime.toEpochMillis(end) / quarter
  })
  return FastCheck.sample(FastCheck.tuple(at, at), { seed: 1, numRuns }).map(([one, other]) => ({
    start: DateTime.unsafeMake(Math.min(one, other) * quarter),
    end: DateTime.unsafeMake((Math.max(one, other) + 1) * quarter)
  }))
}

const inZone = (organization: OrganizationId, timezone: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE organizations SET timezone = ${timezone} WHERE id = ${organization}`
  )

/** Time zones with their changes: by half an hour, at midnight, to midnight, by quarter hours, and in whole hours. */
const zones = [
  ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
  ["America/Havana", "2026-11-01T05:00:00Z"],
  ["Asia/Beirut", "2026-03-28T22:00:00Z"],
  ["Pacific/Chatham", "2026-04-04T14:00:00Z"],
  ["Europe/Berlin", "2026-10-25T01:00:00Z"]
] as const

layer(Live, { excludeTestServices: true })("Stored periods", (it) => {
  it.effect("equal a recount around changes of the time, in any range", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      for (const [timezone, change] of zones) {
        const own = yield* makeOrganization()
        yield* inZone(own, timezone)
        yield* repo.mergeCounts
        const at = DateTime.unsafeMake(change)
        const days = { start: DateTime.subtract(at, { days: 2 }), end: DateTime.add(at, { days: 2 }) }
        const months = { start: DateTime.subtract(at, { days: 40 }), end: DateTime.add(at, { days: 40 }) }
        yield* makeMessages(own, days, 200)
        yield* makeMessages(own, months, 60)
        for (const one of rangesIn(days, 2)) yield* assertPeriods(own, one)
        yield* repo.mergeCounts
        for (const one of [months, days, ...rangesIn(months, 2), ...rangesIn(days, 3)]) yield* assertPeriods(own, one)
      }
    })
  )

  it.effect("equal a recount while they are built in another time zone, and after", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      const year = range("2025-11-10T00:00:00Z", "2026-11-10T00:00:00Z")
      yield* makeMessages(own, year, 500)
      yield* repo.mergeCounts
      const build = sql<{ built: number }>`SELECT build_periods(200) AS built`
      for (const timezone of ["Asia/Kolkata", "UTC"]) {
        yield* inZone(own, timezone)
        const [part] = rangesIn(year, 1)
        yield* assertPeriods(own, part ?? year)
        yield* build
        yield* build
        yield* makeMessages(own, year, 50)
        yield* assertPeriods(own, year)
        yield* repo.mergeCounts
        yield* assertPeriods(own, year)
      }
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM period_builds`, [])
    })
  )

  it.effect("contain each count once while processes merge and build", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      const days = range("2026-11-01T00:00:00Z", "2026-11-05T00:00:00Z")
      yield* Effect.all(
        Array.makeBy(6, (round) => [
          makeMessages(own, days, 30 + round),
          repo.mergeCounts,
          inZone(own, round % 2 === 0 ? "Asia/Tokyo" : "UTC")
        ]).flat(),
        { concurrency: 6 }
      )
      yield* repo.mergeCounts
      yield* assertPeriods(own, days)
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM message_count_changes`, [])
    })
  )
})
