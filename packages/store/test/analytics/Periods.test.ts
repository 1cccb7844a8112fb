import { SqlClient } from "@effect/sql"
import { layer } from "@effect/vitest"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, FastCheck, Layer } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { assertPeriods, createMadeMessages, makeMessages } from "./MadeCounts.js"

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

layer(Live, { excludeTestServices: true })("Periods", (it) => {
  it.effect("equal a recount around changes of the time, in any range, and in another time zone", () =>
    Effect.gen(function* () {
      for (const [timezone, change] of zones) {
        const own = yield* makeOrganization()
        const at = DateTime.unsafeMake(change)
        const days = { start: DateTime.subtract(at, { days: 2 }), end: DateTime.add(at, { days: 2 }) }
        const months = { start: DateTime.subtract(at, { days: 40 }), end: DateTime.add(at, { days: 40 }) }
        yield* makeMessages(own, days, 200)
        yield* makeMessages(own, months, 60)
        yield* assertPeriods(own, days)
        yield* inZone(own, timezone)
        for (const one of [months, days, ...rangesIn(months, 2), ...rangesIn(days, 3)]) yield* assertPeriods(own, one)
      }
    })
  )
})
