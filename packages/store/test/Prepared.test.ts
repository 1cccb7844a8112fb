import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { prepared, prepareMarked } from "@switchboard/store/database/Prepared"
import { retryConflicts } from "@switchboard/store/database/Unavailable"
import { Duration, Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { TestDatabaseUrl, testDatabase } from "./TestDatabase.js"

/** One connection, so that every statement meets what the one before left. */
const OneConnection = testDatabase(1)

const known = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ name: string }>`SELECT name FROM pg_prepared_statements ORDER BY name`, (rows) =>
    rows.map(({ name }) => name)
  )
)

/** A connection of its own that keeps plans so long. */
const connection = (kept: Duration.DurationInput) =>
  Effect.flatMap(TestDatabaseUrl, (url) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new Client({ connectionString: Redacted.value(url) })
        prepareMarked(client, Duration.decode(kept))
        await client.connect()
        return client
      }),
      (client) => Effect.promise(() => client.end())
    )
  )

const ask = (client: Client, statement: string, values: ReadonlyArray<unknown>) =>
  Effect.async<unknown, Error>((resume) =>
    client.query(statement, [...values], (error, result) => resume(error ? Effect.fail(error) : Effect.succeed(result)))
  )

layer(OneConnection.pipe(Layer.provideMerge(TestDatabaseUrl.Live)), {
  timeout: "60 seconds",
  excludeTestServices: true
})("Prepared statements", (it) => {
  it.effect("a marked statement is prepared once a connection, any other never", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const add = prepared("add", "SELECT $1::int + $2::int AS sum")
      const sums = yield* Effect.forEach([1, 2, 3], (n) => sql.unsafe<{ sum: number }>(add, [n, n]))
      assert.deepStrictEqual(
        sums.map(([row]) => row?.sum),
        [2, 4, 6]
      )
      yield* sql`SELECT ${1}::int`
      assert.deepStrictEqual(yield* known, ["add_0"])
    })
  )

  it.effect("a statement whose result has other columns by now, or that was forgotten, is tried again as another", () =>
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

  it.effect("a plan that was made for a small table is not kept when the table grows", () =>
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
            yield* ask(client, "BEGIN", [])
            yield* ask(client, find, [1])
            const [row] = yield* Effect.promise(() =>
              client.query<{ read: number }>(
                "SELECT seq_tup_read::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'growing'"
              )
            ).pipe(Effect.map(({ rows }) => rows))
            yield* ask(client, "COMMIT", [])
            return row?.read
          })
        // From the sixth use on the plan is one for any parameters.
        for (const client of [keeps, renews]) yield* Effect.repeatN(ask(client, find, [1]), 9)
        yield* sql`INSERT INTO growing SELECT generate_series(61, 20000)`
        assert.isAtLeast((yield* read(keeps)) ?? 0, 20_000)
        assert.isBelow((yield* read(renews)) ?? 20_000, 1_000)
      })
    )
  )
})
