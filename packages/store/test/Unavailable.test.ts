import type { SqlError } from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { connectionUse } from "@switchboard/services/ConnectionUse"
import { databaseTimeFactor, RequestDeadline, requestDeadline } from "@switchboard/services/RequestDeadline"
import { groupCommit } from "@switchboard/store/database/GroupCommit"
import { codeOf, forRequest, retryConflicts } from "@switchboard/store/database/Unavailable"
import { Deferred, Effect, Fiber } from "effect"
import { OwnDatabase } from "./TestDatabase.js"

/** Runs with a deadline, longer on a slow machine. */
const withDeadline = (millis: number) =>
  Effect.locally(requestDeadline, new RequestDeadline(millis * databaseTimeFactor))

/** A statement that uses most of a deadline of a second. */
const slow = Effect.flatMap(PgClient.PgClient, (sql) => forRequest(sql`SELECT pg_sleep(${0.6 * databaseTimeFactor})`))
const outcomes = (statements: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }, PgClient.PgClient>>) =>
  Effect.forEach(statements, Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: () => "succeeded" }))

layer(OwnDatabase, { excludeTestServices: true })("forRequest", (it) => {
  it.effect("applies one deadline to all statements of a request, and runs none after it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* withDeadline(1_000)(outcomes([slow, slow, slow, slow])), [
        "succeeded",
        "ServiceUnavailableError",
        "ServiceUnavailableError",
        "ServiceUnavailableError"
      ])
    })
  )

  it.scoped("applies the deadline to a shared transaction too", () =>
    Effect.gen(function* () {
      let written = 0
      const stored = yield* Deferred.make<void>()
      const write = yield* groupCommit<number, number, never>(
        (items) =>
          Effect.zipRight(
            Effect.sync(() => written++),
            Effect.as(Deferred.await(stored), items.map(Effect.succeed))
          ),
        { maxBatch: 100 }
      )
      assert.deepStrictEqual(yield* withDeadline(1_000)(outcomes([slow, write(1), write(2)])), [
        "succeeded",
        "ServiceUnavailableError",
        "ServiceUnavailableError"
      ])
      assert.strictEqual(written, 1)
      yield* Deferred.succeed(stored, undefined)
    })
  )

  it.effect("applies a separate limit to each statement without a deadline", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* outcomes([slow, slow]), ["succeeded", "succeeded"])
    })
  )

  it.effect("cancels the statement and rolls back at the deadline, even with all connections in use", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      yield* sql.unsafe(`CREATE SEQUENCE begun; CREATE SEQUENCE cancelled; CREATE TABLE written (id int);
        CREATE FUNCTION never_ends() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
          PERFORM nextval('begun');
          PERFORM pg_sleep(3600);
        EXCEPTION WHEN query_canceled THEN
          IF SQLERRM LIKE '%user request' THEN PERFORM nextval('cancelled'); END IF;
          RAISE;
        END $$`)
      const statement = sql`SELECT never_ends()`
      const transaction = sql.withTransaction(Effect.zipRight(sql`INSERT INTO written VALUES (1)`, statement))
      const all = [1, 2, 3, 4, 5].flatMap(() => [forRequest(statement), forRequest(transaction)])
      const errors = yield* withDeadline(500)(Effect.forEach(all, Effect.flip, { concurrency: "unbounded" }))
      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        all.map(() => "ServiceUnavailableError")
      )
      assert.deepStrictEqual([...(yield* sql`SELECT * FROM written`)], [])
      const look = sql<{ begun: number; cancelled: number; running: number }>`SELECT
        (SELECT last_value::int FROM begun WHERE is_called) AS begun,
        (SELECT last_value::int FROM cancelled WHERE is_called) AS cancelled,
        (SELECT count(*)::int FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT never_ends()') AS running`
      const [row] = yield* Effect.repeat(look, { until: ([found]) => found?.running === 0 })
      assert.isAbove(row?.begun ?? 0, 0)
      assert.strictEqual(row?.cancelled, row?.begun)
    })
  )

  it.effect("repeats a transaction five times while it conflicts", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      yield* sql.unsafe(`CREATE SEQUENCE attempts;
        CREATE FUNCTION conflict(count int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE attempt int := nextval('attempts'); BEGIN
          IF attempt <= count THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END IF;
          RETURN attempt;
        END $$`)
      const attempt = (count: number) =>
        Effect.map(
          retryConflicts(sql.withTransaction(sql<{ attempt: number }>`SELECT conflict(${count}) AS attempt`)),
          ([row]) => row?.attempt
        )
      assert.strictEqual(yield* attempt(5), 6)
      yield* sql`SELECT setval('attempts', 1, false)`
      assert.strictEqual(codeOf(yield* Effect.flip(attempt(6))), "40001")
      assert.strictEqual(yield* attempt(0), 7)
    })
  )

  it.effect("reports a database that is too slow", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const messageOf = (statement: Effect.Effect<unknown, SqlError>) =>
        Effect.map(Effect.flip(forRequest(statement)), ({ message }) => message)
      const late = "The database did not respond in time"
      const limited = sql.withTransaction(
        Effect.zipRight(sql`SET LOCAL statement_timeout = 20`, sql`SELECT pg_sleep(3600)`)
      )
      assert.strictEqual(yield* messageOf(limited), late)
      assert.strictEqual(yield* withDeadline(100)(messageOf(sql`SELECT pg_sleep(3600)`)), late)
    })
  )

  it.effect("cancels the statement when the caller disconnects", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const asleep = sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`
      const statement = yield* Effect.fork(forRequest(sql`SELECT pg_sleep(3600)`))
      yield* Effect.repeat(asleep, { until: ({ length }) => length === 1 })
      yield* Fiber.interrupt(statement)
      yield* Effect.repeat(asleep, { until: ({ length }) => length === 0 })
    })
  )

  it.effect("cancels no other caller's statement when a caller disconnects as its statement ends", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const short = forRequest(sql`SELECT pg_sleep(0.001)`)
      const staying = yield* Effect.fork(
        Effect.forEach(Array.from({ length: 2_000 }), () => short, { concurrency: 20, discard: true })
      )
      const left = Effect.gen(function* () {
        const leaving = yield* Effect.fork(short)
        yield* short
        yield* Fiber.interruptFork(leaving)
      })
      yield* Effect.fork(Effect.forever(left))
      yield* Fiber.join(staying)
    })
  )

  it.effect("keeps the connection of a statement that reaches a time limit", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const backend = Effect.map(sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`, ([row]) => row?.pid)
      const before = yield* backend
      yield* Effect.repeatN(Effect.timeoutOption(sql`SELECT pg_sleep(3600)`, "20 millis"), 19)
      assert.strictEqual(yield* backend, before)
    })
  )

  it.effect("sets its connections up for short statements", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const [settings] = yield* sql`SELECT current_setting('jit') AS jit,
        current_setting('gin_pending_list_limit') AS gin_pending_list_limit`
      assert.deepStrictEqual(settings, { jit: "off", gin_pending_list_limit: "512kB" })
    })
  )

  it.effect("limits a read of a request by its deadline, on a connection that other statements use too", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const show = Effect.map(
        sql<{ limit: number }>`SELECT setting::int AS limit FROM pg_settings WHERE name = 'statement_timeout'`,
        ([row]) => Math.round((row?.limit ?? 0) / databaseTimeFactor / 100) * 100
      )
      const read = Effect.locally(connectionUse, OrganizationId.make("00000000-0000-7000-8000-000000000001"))
      const seen = yield* Effect.all([
        show,
        read(show),
        read(sql.withTransaction(show)),
        show,
        sql.withTransaction(show)
      ])
      assert.deepStrictEqual(seen, [10_000, 2_500, 2_500, 10_000, 10_000])
    })
  )
})
