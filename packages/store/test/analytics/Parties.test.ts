import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { AnalyticsRepoSql } from "@switchboard/store/analytics/AnalyticsRepoSql"
import { moveRecipientsStatement } from "@switchboard/store/analytics/GatherCounts"
import { M0051MessageParties, M0052OlderParties } from "@switchboard/store/migrations/M0051MessageParties"
import { Array, DateTime, Deferred, Effect, Fiber, Layer } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { Live as Queue } from "../messages/QueueFixtures.js"
import { vacuum } from "../Vacuum.js"
import {
  changeParties,
  makeParticipants,
  makeParties,
  makeSteadyParties,
  movePeople,
  recountRecipients,
  recountTop,
  revertParties
} from "./MadeParties.js"
import { pagesOf } from "./PagesOf.js"
import { range, ranges, year } from "./Ranges.js"

const Live = AnalyticsRepoSql.pipe(Layer.provideMerge(Queue))

/** Compares every figure of a range with a recount. */
const assertRecount = (organization: OrganizationId, of: DateRange) =>
  Effect.gen(function* () {
    const repo = yield* AnalyticsRepo
    assert.deepEqual(
      (yield* repo.topParticipants(organization, of, 10)).map(({ lastMessageAt, messageCount, participantId }) => ({
        participantId,
        messageCount,
        lastMessageAt: DateTime.toDateUtc(lastMessageAt)
      })),
      [...(yield* recountTop(organization, of, 10))]
    )
    assert.sameDeepMembers(
      [...(yield* repo.recipients(organization, of))],
      [...(yield* recountRecipients(organization, of))]
    )
  })

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("Parties of messages", (it) => {
  it.effect("equal a recount in any range, while messages and places change", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 60)
      const [first, ...others] = ranges(40)
      for (const round of [1, 2, 3]) {
        yield* movePeople(own, round)
        yield* makeParties(own, year, 700 * round)
        // A place counts after the next merge.
        yield* repo.mergeCounts
        yield* makeParties(own, year, 150)
        yield* changeParties(own)
        for (const one of [year, first ?? year]) yield* assertRecount(own, one)
      }
      for (const one of others) yield* assertRecount(own, one)
      yield* repo.mergeCounts
      for (const one of others) yield* assertRecount(own, one)
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
        Array.makeBy(15, (round) => [
          makeParties(own, days, 60 + round),
          repo.mergeCounts,
          movePeople(own, round),
          changeParties(own)
        ]).flat(),
        { concurrency: 6 }
      )
      yield* repo.mergeCounts
      yield* assertRecount(own, days)
    })
  )

  it.effect("move to another place by one statement for a limited number of messages", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 60)
      yield* makeParties(own, year, 700)
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
      yield* assertRecount(own, year)
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
      // The pool's statements wait for a lock for two seconds.
      const waits = sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE '%move_recipients%' AND now() - query_start > interval '2500 milliseconds'`
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
      yield* Effect.raceFirst(Effect.repeat(waits, { until: (rows) => rows.length > 0 }), Fiber.join(moving))
      yield* Deferred.succeed(isOver, undefined)
      yield* Fiber.join(locking)
      yield* Fiber.join(moving)
      yield* assertRecount(own, year)
    })
  )

  it.effect("equal a recount if many participants have about the same number", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 400)
      yield* makeParties(own, year, 4_000, 1)
      yield* repo.mergeCounts
      for (const one of [year, ...ranges(6)]) yield* assertRecount(own, one)
    })
  )

  it.effect("include a participant that is not among the first ones of any month", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 7_200)
      yield* makeSteadyParties(own)
      yield* repo.mergeCounts
      yield* assertRecount(own, range("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"))
      yield* assertRecount(own, range("2026-01-10T00:00:00Z", "2026-12-16T00:00:00Z"))
    })
  )

  it.effect("include messages before the migration", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      yield* makeParticipants(own, 40)
      yield* sql.unsafe(revertParties)
      yield* makeParties(own, year, 600)
      yield* movePeople(own, 1)
      yield* sql.withTransaction(sql.unsafe(M0051MessageParties))
      yield* makeParties(own, year, 100)
      yield* changeParties(own)
      yield* movePeople(own, 2)
      yield* Effect.repeat(sql.unsafe(M0052OlderParties), { until: (rows) => rows.length === 0 })
      yield* repo.mergeCounts
      for (const one of [year, ...ranges(10)]) yield* assertRecount(own, one)
    })
  )

  it.effect("are read with as many pages for 40,000 messages as for 4,000", () =>
    Effect.gen(function* () {
      const repo = yield* AnalyticsRepo
      const fill = (messages: number) =>
        Effect.gen(function* () {
          const own = yield* makeOrganization()
          yield* makeParticipants(own, messages / 10)
          yield* movePeople(own, 1)
          yield* makeParties(own, year, messages, 8)
          yield* repo.mergeCounts
          return own
        })
      const small = yield* fill(4_000)
      const large = yield* fill(40_000)
      yield* vacuum(
        "messages",
        "message_participants",
        "message_party_changes",
        "participants",
        "participant_months",
        "participant_places",
        "place_periods"
      )
      const explaining = yield* pagesOf
      for (const of of [year, { start: DateTime.subtract(year.end, { days: 30 }), end: year.end }]) {
        yield* assertRecount(large, of)
        for (const read of ["topParticipants", "recipients"] as const) {
          const [before, after] = yield* Effect.all([explaining[read](small, of), explaining[read](large, of)])
          assert.isAtMost(after.pages, 1.5 * before.pages + 4 * before.descents, read)
        }
      }
    })
  )
})
