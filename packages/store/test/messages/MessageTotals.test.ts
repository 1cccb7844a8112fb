import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { AnalyticsRepoSql } from "@switchboard/store/analytics/AnalyticsRepoSql"
import { M0036OlderStates } from "@switchboard/store/migrations/M0036OlderStates"
import { DateTime, Effect, Layer } from "effect"
import { makeOrganization, newMessage } from "./Fixtures.js"
import { accept, delivered, emptyQueue, OwnLive, settle, storeProgress, take } from "./QueueFixtures.js"

const minId = "00000000-0000-0000-0000-000000000000"

const totalOf = (own: OrganizationId, filter: Parameters<typeof MessageRepo.Service.list>[1]) =>
  Effect.flatMap(MessageRepo, (repo) =>
    Effect.map(repo.list(own, filter, { page: 1, limit: 100 }), ({ items, pagination }) => {
      assert.strictEqual(items.length, pagination.total)
      return pagination.total
    })
  )

const totals = (own: OrganizationId) =>
  Effect.map(
    Effect.forEach(MessageStatus.literals, (status) =>
      Effect.map(totalOf(own, { status }), (total) => ({ status, total }))
    ),
    (all) => Object.fromEntries(all.flatMap(({ status, total }) => (total === 0 ? [] : [[status, total]])))
  )

/** The number of updates of this connection that are not reported yet: all, and without a change of an index. */
const updates = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ all: number; hot: number }>`SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot
      FROM pg_stat_xact_user_tables WHERE relname = 'message_states'`,
    ([row]) => row ?? { all: 0, hot: 0 }
  )
)

layer(Layer.provideMerge(AnalyticsRepoSql, OwnLive), { excludeTestServices: true })("totals of messages", (it) => {
  it.effect("counts messages by status and channel while they are sent and deleted", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const repo = yield* MessageRepo
      const { mergeCounts } = yield* AnalyticsRepo
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const [first] = yield* accept(own, 5)
      yield* accept(other, 1)
      const later = DateTime.add(yield* DateTime.now, { days: 1 })
      yield* Effect.flatMap(newMessage(own, { scheduledAt: later }), repo.accept)
      assert.deepStrictEqual(yield* totals(own), { scheduled: 1, pending: 5 })
      const taken = (yield* take("w", { limit: 4 })).filter(({ organizationId }) => organizationId === own)
      yield* storeProgress("w", taken.slice(0, 1))
      yield* settle("w", taken.slice(1), delivered)
      yield* mergeCounts
      const settled = taken.length - 1
      assert.deepStrictEqual(yield* totals(own), {
        scheduled: 1,
        pending: 5 - taken.length,
        processing: 1,
        delivered: settled
      })
      if (first === undefined) return assert.fail("no message")
      yield* repo.remove(own, taken[1]?.messageId ?? first.id)
      const before = yield* totals(own)
      assert.strictEqual(before.delivered, settled - 1)
      yield* mergeCounts
      assert.deepStrictEqual(yield* totals(own), before)
      assert.deepStrictEqual([yield* totalOf(own, {}), yield* totalOf(own, { channel: "email" })], [5, 5])
      assert.deepStrictEqual(
        [yield* totalOf(own, { channel: "sms" }), yield* totalOf(own, { channel: "email", status: "delivered" })],
        [0, settled - 1]
      )
    })
  )

  it.effect("takes messages without a write, and stores their progress without a change of an index", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* emptyQueue
      const own = yield* makeOrganization()
      yield* accept(own, 5)
      yield* sql.withTransaction(
        Effect.gen(function* () {
          const before = yield* updates
          const taken = yield* take("w")
          assert.lengthOf(taken, 5)
          assert.deepStrictEqual(yield* updates, before)
          yield* storeProgress("w", taken)
          const after = yield* updates
          assert.deepStrictEqual([after.all - before.all, after.hot - before.hot], [5, 5])
        })
      )
    })
  )

  it.effect("migrates the states of an earlier release, and counts them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* emptyQueue
      const own = yield* makeOrganization()
      yield* accept(own, 3)
      const [one] = yield* take("w", { limit: 1 })
      if (one === undefined) return assert.fail("nothing was taken")
      yield* settle("w", [one], delivered)
      yield* sql.withTransaction(
        Effect.zipRight(
          sql`SET LOCAL session_replication_role = replica`,
          sql`UPDATE message_states SET listed_status = 'open' WHERE organization_id = ${own}`
        )
      )
      yield* sql`DELETE FROM message_totals WHERE organization_id = ${own}`
      yield* sql`DELETE FROM message_total_changes WHERE organization_id = ${own}`
      yield* sql`UPDATE listed_states SET organization_id = ${minId}, message_id = ${minId}`
      yield* Effect.repeat(sql.unsafe(M0036OlderStates), { until: (rows) => rows.length === 0 })
      assert.deepStrictEqual(yield* totals(own), { pending: 2, delivered: 1 })
    })
  )
})
