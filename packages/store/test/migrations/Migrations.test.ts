import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { applyMigrations, type Migration, schemaOf } from "@switchboard/store/migrations/ApplyMigrations"
import { releaseSchema } from "@switchboard/store/migrations/Migrations"
import { Deferred, Effect, Fiber, Schedule } from "effect"
import { OwnDatabase } from "../TestDatabase.js"

const Live = OwnDatabase

const migrations: readonly [Migration, ...ReadonlyArray<Migration>] = [
  {
    id: 1001,
    name: "table",
    sql: `CREATE TABLE things (id int PRIMARY KEY, part int, is_done boolean);
      CREATE TABLE parts (id int PRIMARY KEY, kind text) PARTITION BY RANGE (id);
      CREATE TABLE parts_one PARTITION OF parts FOR VALUES FROM (0) TO (10);
      CREATE INDEX parts_older ON parts_one (kind, id)`
  },
  { id: 1002, name: "rows", sql: "INSERT INTO things SELECT id, id % 7, false FROM generate_series(1, 25) AS id" },
  {
    id: 1003,
    name: "batches",
    batch: `UPDATE things SET is_done = true
      WHERE id IN (SELECT id FROM things WHERE NOT is_done ORDER BY id LIMIT 10) RETURNING id`
  },
  {
    id: 1004,
    name: "indexes",
    indexes: [
      { name: "things_part", on: "things (part, id)" },
      { name: "parts_kind", on: "parts (kind)" },
      { name: "things_hundreds", on: "things ((id / 100))" }
    ],
    replaces: ["parts_older"]
  }
]

/** A release with the schema of this one, and with these migrations after it. */
const release = (later: typeof migrations) => ({ ...releaseSchema, migrations: later })

const apply = (later: typeof migrations) => applyMigrations(release(later))

const isValid = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ valid: boolean }>`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'things_part'::regclass`,
    (rows) => rows.map(({ valid }) => valid)
  )

layer(Live, { excludeTestServices: true })("Migrations", (it) => {
  it.effect("run scripts, batches until no row is left, and indexes, once, in concurrent processes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [one, other] = yield* Effect.all([apply(migrations), apply(migrations)], {
        concurrency: 2
      })
      assert.sameMembers([...one, ...other], ["table", "rows", "batches", "indexes"])
      assert.isTrue(one.length === 0 || other.length === 0)
      assert.deepStrictEqual(yield* sql`SELECT is_done, count(*)::int FROM things GROUP BY 1`, [
        { is_done: true, count: 25 }
      ])
      const transactions = yield* sql`SELECT FROM things GROUP BY xmin::text`
      assert.lengthOf(transactions, 3)
      assert.deepStrictEqual(yield* isValid(sql), [true])
      const indexes = yield* sql`SELECT indexrelid::regclass::text AS name FROM pg_index
        WHERE indrelid::regclass::text IN ('parts', 'parts_one') AND NOT indisprimary AND indisvalid ORDER BY name`
      assert.deepStrictEqual(indexes, [{ name: "parts_kind" }, { name: "parts_kind_parts_one" }])
      assert.lengthOf(yield* sql`SELECT FROM pg_stats WHERE tablename = 'things_hundreds'`, 1)
      const state = yield* schemaOf(release(migrations))
      assert.deepStrictEqual(state, { pending: [], refusal: null, isEmpty: false })
    })
  )

  it.effect("build an index again that is incomplete, while other transactions write", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* apply(migrations)
      yield* sql`DELETE FROM switchboard_migrations WHERE id = 1004`
      yield* sql`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'things_part'::regclass`
      const hasWritten = yield* Deferred.make<void>()
      const mayCommit = yield* Deferred.make<void>()
      const writer = yield* sql`INSERT INTO things VALUES (101, 1, false)`.pipe(
        Effect.zipRight(Deferred.succeed(hasWritten, undefined)),
        Effect.zipRight(Deferred.await(mayCommit)),
        sql.withTransaction,
        Effect.fork
      )
      yield* Deferred.await(hasWritten)
      const build = yield* Effect.fork(apply(migrations))
      // The build waits for the open transaction, and no later write waits for the build.
      yield* Effect.repeat(
        sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
          AND query LIKE '%INDEX CONCURRENTLY things_part%'`,
        { schedule: Schedule.spaced("20 millis"), until: (rows) => rows.length > 0 }
      )
      yield* sql`INSERT INTO things VALUES (102, 2, false)`
      yield* Deferred.succeed(mayCommit, undefined)
      yield* Fiber.join(writer)
      assert.deepStrictEqual(yield* Fiber.join(build), ["indexes"])
      assert.deepStrictEqual(yield* isValid(sql), [true])
    })
  )

  it.effect("that remove what older releases use make these incompatible", () =>
    Effect.gen(function* () {
      const running: typeof migrations = [
        ...migrations,
        { id: 1005, name: "column", sql: "ALTER TABLE things ADD COLUMN size int" }
      ]
      const next: typeof migrations = [
        ...running,
        { id: 1006, name: "removal", sql: "ALTER TABLE things DROP part", requires: 1005 }
      ]
      yield* apply(next)
      assert.deepStrictEqual(yield* schemaOf(release(running)), { pending: [], refusal: null, isEmpty: false })
      assert.deepStrictEqual(yield* apply(running), [])
      const refusal = "The database requires migration 1005, this release has 1004: run a newer release"
      assert.strictEqual((yield* schemaOf(release(migrations))).refusal, refusal)
      assert.strictEqual((yield* Effect.flip(apply(migrations))).message, refusal)
    })
  )
})
