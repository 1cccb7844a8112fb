import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { prepared, prepareMarked } from "@switchboard/store/database/Prepared"
import { retryConflicts } from "@switchboard/store/database/Unavailable"
import { Duration, Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { SharedDatabase, TestDatabaseUrl, testDatabase } from "./TestDatabase.js"

/** A single connection, so that all statements share its state. */
const OneConnection = testDatabase(1)

const preparedNames = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ name: string }>`SELECT name FROM pg_prepared_statements ORDER BY name`, (rows) =>
    rows.map(({ name }) => name)
  )
)

/** A separate connection that keeps plans for a duration. */
const connection = (lifetime: Duration.DurationInput) =>
  Effect.flatMap(TestDatabaseUrl, (url) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new Client({ connectionString: Redacted.value(url) })
        prepareMarked(client, Duration.decode(lifetime))
        await client.connect()
        return client
      }),
      (client) => Effect.promise(() => client.end())
    )
  )

const query = (client: Client, statement: string, values: ReadonlyArray<unknown>) =>
  Effect.async<unknown, Error>((resume) =>
    client.query(statement, [...values], (error, result) => resume(error ? Effect.fail(error) : Effect.succeed(result)))
  )

layer(OneConnection.pipe(Layer.provideMerge(SharedDatabase)), { excludeTestServices: true })(
  "Prepared statements",
  (it) => {
    it.effect("prepares a marked statement once per connection, and no other statement", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const add = prepared("add", "SELECT $1::int + $2::int AS sum")
        const sums = yield* Effect.forEach([1, 2, 3], (n) => sql.unsafe<{ sum: number }>(add, [n, n]))
        assert.deepStrictEqual(
          sums.map(([row]) => row?.sum),
          [2, 4, 6]
        )
        yield* sql`SELECT ${1}::int`
        const [name, ...others] = yield* preparedNames
        assert.match(name ?? "", /^add_[0-9a-f]{12}_0$/)
        assert.deepStrictEqual(others, [])
      })
    )

    it.effect("prepares each text of a statement once", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const texts = ["SELECT $1::int AS n", "SELECT $1::int + 1 AS n"]
        const rows = yield* Effect.forEach([...texts, ...texts], (text) =>
          sql.unsafe<{ n: number }>(prepared("next", text), [1])
        )
        assert.deepStrictEqual(
          rows.map(([row]) => row?.n),
          [1, 2, 1, 2]
        )
        const names = (yield* preparedNames).filter((name) => name.startsWith("next_"))
        assert.strictEqual(names.length, 2)
      })
    )

    it.effect("retries a statement under a new name if its result columns changed or it was deallocated", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE things (id int)`
        const things = sql.unsafe(prepared("things", "SELECT * FROM things WHERE id > $1"), [0])
        yield* sql`INSERT INTO things VALUES (1)`
        yield* things
        yield* sql`ALTER TABLE things ADD COLUMN name text`
        assert.deepStrictEqual([...(yield* retryConflicts(things))], [{ id: 1, name: null }])
        yield* sql`DEALLOCATE ALL`
        assert.deepStrictEqual([...(yield* retryConflicts(sql.withTransaction(things)))], [{ id: 1, name: null }])
        yield* sql`DROP TABLE things`
      })
    )

    it.effect("plans a marked statement once for all values, and others for their values", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const marked = prepared("plan_mode", "SELECT current_setting('plan_cache_mode') AS mode, $1::int AS n")
        const ofMarked = Effect.map(sql.unsafe<{ mode: string }>(marked, [1]), ([row]) => row?.mode)
        const ofOther = Effect.map(
          sql<{ mode: string }>`SELECT current_setting('plan_cache_mode') AS mode, ${2}::int`,
          ([row]) => row?.mode
        )
        const rolledBack = <A, E, R>(self: Effect.Effect<A, E, R>) =>
          Effect.flip(sql.withTransaction(Effect.zipRight(self, Effect.fail("rolled back"))))
        assert.deepStrictEqual(yield* Effect.all([ofMarked, ofOther]), ["force_generic_plan", "auto"])
        // A rollback restores the mode from before.
        yield* rolledBack(ofMarked)
        assert.strictEqual(yield* ofMarked, "force_generic_plan")
        yield* rolledBack(ofOther)
        assert.strictEqual(yield* ofOther, "auto")
        const [plans] = yield* sql<{
          all: number
          own: number
        }>`SELECT generic_plans::int AS all, custom_plans::int AS own
        FROM pg_prepared_statements WHERE name LIKE 'plan_mode_%'`
        assert.deepStrictEqual(plans, { all: 3, own: 0 })
      })
    )

    it.effect("replaces the plan of a small table after the table has grown", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* PgClient.PgClient
          yield* sql`CREATE TABLE growing (id int PRIMARY KEY) WITH (autovacuum_enabled = off)`
          yield* sql`INSERT INTO growing SELECT generate_series(1, 60)`
          yield* sql`ANALYZE growing`
          const find = prepared("find", "SELECT id FROM growing WHERE id = $1")
          const [keeps, renews] = yield* Effect.all([connection("1 hour"), connection(0)])
          const read = (client: Client) =>
            Effect.gen(function* () {
              yield* query(client, "BEGIN", [])
              yield* query(client, find, [1])
              const [row] = yield* Effect.promise(() =>
                client.query<{ read: number }>(
                  "SELECT seq_tup_read::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'growing'"
                )
              ).pipe(Effect.map(({ rows }) => rows))
              yield* query(client, "COMMIT", [])
              return row?.read
            })
          for (const client of [keeps, renews]) yield* Effect.repeatN(query(client, find, [1]), 9)
          yield* sql`INSERT INTO growing SELECT generate_series(61, 20000)`
          assert.isAtLeast((yield* read(keeps)) ?? 0, 20_000)
          assert.isBelow((yield* read(renews)) ?? 20_000, 1_000)
        })
      )
    )
  }
)
