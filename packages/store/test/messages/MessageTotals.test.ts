import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { accept, emptyQueue, OwnLive, storeProgress, take } from "./QueueFixtures.js"

/** The number of updates of this connection that are not reported yet: all, and without a change of an index. */
const updates = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ all: number; hot: number }>`SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot
      FROM pg_stat_xact_user_tables WHERE relname = 'message_states'`,
    ([row]) => row ?? { all: 0, hot: 0 }
  )
)

layer(OwnLive, { excludeTestServices: true })("The listed status", (it) => {
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
})
