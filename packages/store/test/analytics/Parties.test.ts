import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { moveRecipientsStatement } from "@switchboard/store/analytics/GatherCounts"
import { Array, Deferred, Effect, Fiber, Schedule } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import {
  assertParties,
  changeParties,
  makeParticipants,
  makeParties,
  makeSteadyParties,
  movePeople
} from "./MadeParties.js"
import { range, ranges, year } from "./Ranges.js"

layer(OwnStoreLive, { excludeTestServices: true })("Parties of messages", (it) => {
  it.effect("equal a recount in any range, while messages and places change", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 30)
      const [first, ...others] = ranges(10)
      for (const round of [1, 2]) {
        yield* movePeople(own, round)
        yield* makeParties(own, year, 200 * round)
        // A place counts after the next merge.
        yield* repo.mergeCounts
        yield* makeParties(own, year, 60)
        yield* changeParties(own)
        for (const one of [year, first ?? year]) yield* assertParties(own, one)
      }
      for (const one of others) yield* assertParties(own, one)
      yield* repo.mergeCounts
      for (const one of others) yield* assertParties(own, one)
      yield* sql`DELETE FROM messages WHERE organization_id = ${own}`
      yield* repo.mergeCounts
      for (const table of ["participant_months", "place_periods"]) {
        assert.deepStrictEqual(yield* sql`SELECT 1 FROM ${sql(table)} WHERE organization_id = ${own}`, [])
      }
    })
  )

  it.effect("equal a recount while processes merge, move, send and delete", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 30)
      const days = range("2026-11-01T00:00:00Z", "2026-11-05T00:00:00Z")
      yield* Effect.all(
        Array.makeBy(6, (round) => [
          makeParties(own, days, 30 + round),
          repo.mergeCounts,
          movePeople(own, round),
          changeParties(own)
        ]).flat(),
        { concurrency: 6 }
      )
      yield* repo.mergeCounts
      yield* assertParties(own, days)
    })
  )

  it.effect("move to another place by one statement for a limited number of messages", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 60)
      yield* makeParties(own, year, 300)
      yield* repo.mergeCounts
      yield* sql`UPDATE participants SET country = 'FR' WHERE organization_id = ${own}`
      const counts: Array<number> = []
      for (const maxMessages of [0, 200, 1_000_000, 1_000_000, 1_000_000]) {
        const [moved] = yield* sql.unsafe<{ count: number }>(moveRecipientsStatement(maxMessages))
        counts.push(moved?.count ?? 0)
      }
      const [one, some = 0, ...rest] = counts
      assert.strictEqual(one, 1)
      assert.isTrue(some > 1 && some < 50)
      const left = 60 - 1 - some
      assert.deepStrictEqual(rest, [Math.min(left, 50), Math.max(left - 50, 0), 0])
      yield* assertParties(own, year)
    })
  )

  it.effect("move to another place by a statement that takes longer than those of the pool", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 4)
      yield* makeParties(own, year, 50)
      yield* repo.mergeCounts
      yield* sql`UPDATE participants SET country = 'FR' WHERE organization_id = ${own}`
      // Longer than statements of the pool wait for a lock.
      const waits = sql`SELECT FROM pg_stat_activity, pg_settings WHERE name = 'lock_timeout'
        AND datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%move_recipients%'
        AND now() - query_start > 1.2 * setting::int * interval '1 millisecond'`
      const [isLocked, isOver] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
      const locking = yield* sql`SET LOCAL idle_in_transaction_session_timeout = 0`.pipe(
        Effect.zipRight(sql`SELECT FROM place_periods WHERE organization_id = ${own} FOR UPDATE`),
        Effect.zipRight(Deferred.succeed(isLocked, undefined)),
        Effect.zipRight(Deferred.await(isOver)),
        sql.withTransaction,
        Effect.fork
      )
      yield* Deferred.await(isLocked)
      const moving = yield* Effect.fork(repo.mergeCounts)
      yield* Effect.raceFirst(
        Effect.repeat(waits, { schedule: Schedule.spaced("50 millis"), until: (rows) => rows.length > 0 }),
        Fiber.join(moving)
      )
      yield* Deferred.succeed(isOver, undefined)
      yield* Fiber.join(locking)
      yield* Fiber.join(moving)
      yield* assertParties(own, year)
    })
  )

  it.effect("equal a recount if many participants have about the same number", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 150)
      yield* makeParties(own, year, 1_000, 1)
      yield* repo.mergeCounts
      for (const one of [year, ...ranges(2)]) yield* assertParties(own, one)
    })
  )

  it.effect("include a participant that is not among the first ones of any month", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 1_200)
      yield* makeSteadyParties(own)
      yield* repo.mergeCounts
      yield* assertParties(own, range("2026-01-01T00:00:00Z", "2026-05-01T00:00:00Z"))
      yield* assertParties(own, range("2026-01-10T00:00:00Z", "2026-04-16T00:00:00Z"))
    })
  )
})
