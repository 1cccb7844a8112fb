import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { M0036OlderStates } from "@switchboard/store/migrations/M0036OlderStates"
import { Effect } from "effect"
import { accept, delivered, emptyQueue, OwnLive, settle, storeProgress, take } from "./QueueFixtures.js"
import { listedTotals } from "./Totals.js"

const minId = "00000000-0000-0000-0000-000000000000"

/** The number of updates of this connection that are not reported yet: all, and without a change of an index. */
const updates = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ all: number; hot: number }>`SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot
      FROM pg_stat_xact_user_tables WHERE relname = 'message_states'`,
    ([row]) => row ?? { all: 0, hot: 0 }
  )
)

layer(OwnLive, { excludeTestServices: true })("totals of messages", (it) => {
  it.effect("takes messages without a write, and stores their progress without a change of an index", () =>
    Effect.gen(function* () {
      const { own, sql } = yield* emptyQueue
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
      const { own, sql } = yield* emptyQueue
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
      assert.deepStrictEqual(yield* listedTotals(own), { all: 3, pending: 2, delivered: 1 })
    })
  )
})
