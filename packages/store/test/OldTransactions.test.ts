import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { oldTransactions } from "@switchboard/store/database/OldTransactions"
import { Deferred, Duration, Effect } from "effect"
import { SharedDatabase } from "./TestDatabase.js"

const Live = SharedDatabase

layer(Live, { excludeTestServices: true })("oldTransactions", (it) => {
  it.effect("finds transactions by their age, with the statement that ends them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // An open cursor holds the snapshot until the transaction ends. A write holds none, only its transaction id.
      for (const statement of [sql`DECLARE held CURSOR FOR SELECT 1`, sql`SELECT pg_current_xact_id()`]) {
        const opened = yield* Deferred.make<number>()
        yield* Effect.fork(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* statement
              const [row] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
              yield* Deferred.succeed(opened, row?.pid ?? 0)
              yield* Effect.never
            })
          )
        )
        const pid = yield* Deferred.await(opened)
        const found = (yield* oldTransactions(Duration.zero)).find(({ name }) => name.endsWith(`, process ${pid}`))
        assert.match(found?.name ?? "", /^switchboard-test, switchboard_test_\w+, process \d+$/)
        assert.strictEqual(found?.remedy, `SELECT pg_terminate_backend(${pid})`)
      }
      assert.deepStrictEqual(yield* oldTransactions(Duration.hours(1)), [])
    })
  )
})
