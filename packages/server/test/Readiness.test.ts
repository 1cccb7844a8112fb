import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { callerOnce, LiveService, send, until } from "./LiveService.js"
import { failingCommand, outputOf, runCommand } from "./TestCommand.js"

const Live = Layer.unwrapEffect(Effect.map(TestDatabaseUrl, (url) => PgClient.layer({ url, maxConnections: 1 }))).pipe(
  Layer.provideMerge(LiveService.layer())
)

/** Makes new database sessions read-only or not, and ends the sessions of the service. */
const readOnly = (on: boolean) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const [row] = yield* sql<{ name: string }>`SELECT current_database() AS name`
    yield* sql.unsafe(`ALTER DATABASE ${row?.name} SET default_transaction_read_only = ${on}`)
    yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
  })

layer(Live, { excludeTestServices: true })("The service", (it) => {
  it.effect("is not ready on a read-only database, and recovers when the database accepts writes", () =>
    Effect.gen(function* () {
      const call = callerOnce((yield* LiveService).baseUrl)
      const ready = Effect.map(call("GET", "/readyz"), ({ status }) => status)
      yield* until(ready, (status) => status === 200)
      yield* readOnly(true)
      yield* until(call("GET", "/v1/messages"), ({ status }) => status === 200)
      yield* until(call("POST", "/v1/messages", send()), ({ status }) => status === 503)
      yield* until(ready, (status) => status === 503)
      assert.strictEqual((yield* call("GET", "/v1/messages")).status, 200)
      assert.strictEqual(yield* ready, 503)
      yield* readOnly(false)
      yield* until(ready, (status) => status === 200)
      assert.strictEqual((yield* call("POST", "/v1/messages", send())).status, 201)
    })
  )

  it.effect("is ready on another schema if it can run on it, like `migrate --check` says", () =>
    Effect.gen(function* () {
      const { baseUrl, environment } = yield* LiveService
      const sql = yield* PgClient.PgClient
      const ready = Effect.map(callerOnce(baseUrl)("GET", "/readyz"), ({ body, status }) => [status, body.message])
      const check = failingCommand(["migrate", "--check"], environment)
      const { stdout } = yield* runCommand(["migrate", "--check"], environment)
      assert.strictEqual(stdout, "The schema is up to date\n")

      yield* sql`INSERT INTO switchboard_migrations (id, name) VALUES (5000, 'of a newer release')`
      assert.deepStrictEqual(yield* ready, [200, undefined])
      yield* sql`UPDATE switchboard_migrations SET requires = 5000 WHERE id = 5000`
      assert.deepStrictEqual(yield* ready, [503, "The database's schema requires a newer release"])
      assert.strictEqual(
        yield* check,
        "switchboard: The database requires migration 5000, this release has 90: run a newer release\n"
      )

      yield* sql`DELETE FROM switchboard_migrations WHERE id = 5000`
      yield* sql`UPDATE switchboard_migrations SET id = 76, requires = 0`
      assert.deepStrictEqual(yield* ready, [503, "The database's schema is that of an older release"])
      assert.strictEqual(
        yield* check,
        "switchboard: Pending migrations: 77 0.3.0, 78 text messages, 79 voice, 80 uploads, 81 submission, 82 clicks, 83 MTA-STS policies, 84 mail reports, 85 users, 86 audit log, 87 draft replies, 88 pauses of domains, 89 OpenID Connect, 90 second factors. Stop the processes of older releases before\n"
      )
      yield* sql`UPDATE switchboard_migrations SET id = 75`
      assert.deepStrictEqual(yield* ready, [503, "The database's schema is that of an older release"])
      const refusal = "Upgrade to 0.2.0 first: the database has migration 75, which is older than 76"
      assert.strictEqual(yield* check, `switchboard: ${refusal}\n`)
      assert.strictEqual(yield* failingCommand(["migrate"], environment), `switchboard: ${refusal}\n`)
      assert.include(yield* outputOf(["doctor"], environment), refusal)
    })
  )
})
