import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { deleteOldRows, olderThanAge } from "@switchboard/store/partitions/DeleteOldRows"
import { Duration, Effect } from "effect"
import { explainReads } from "../lists/ExplainReads.js"
import { SharedDatabase } from "../TestDatabase.js"

const Live = SharedDatabase

/** Stores 4,000 old attempts, and 200 new ones among them. */
const writeAttempts = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`INSERT INTO webhook_attempts (organization_id, delivery_id, attempt, trigger, at, duration_ms)
    SELECT gen_random_uuid(), gen_random_uuid(), 1, 'scheduled',
      now() - CASE WHEN n % 21 = 0 THEN interval '0' ELSE interval '40 days' END, 5 FROM generate_series(1, 4200) AS n`
)

const deleteAttempts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  deleteOldRows(sql, { table: "webhook_attempts", isOld: olderThanAge("at"), batch: 500 }, Duration.days(30))
)

layer(Live, { excludeTestServices: true })("Old rows", (it) => {
  it.effect("are deleted in batches, each of which continues where the one before ended", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`TRUNCATE webhook_attempts`
      yield* writeAttempts
      assert.strictEqual(yield* deleteAttempts, 4_000)
      assert.lengthOf(yield* sql`SELECT FROM webhook_attempts`, 200)
      yield* writeAttempts
      yield* sql`ANALYZE webhook_attempts`
      const plans = (yield* explainReads(deleteAttempts)).filter(({ text }) => text.includes("DELETE"))
      assert.isAbove(plans.length, 1)
      for (const { plan } of plans.slice(1)) {
        assert.include(plan, "Tid Range Scan")
        assert.notInclude(plan, "(0,0)")
      }
      assert.lengthOf(yield* sql`SELECT FROM webhook_attempts`, 400)
    })
  )
})
