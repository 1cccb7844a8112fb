import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { SessionRepo } from "@switchboard/services/sessions/SessionRepo"
import { SessionRepoSql } from "@switchboard/store/sessions/SessionRepoSql"
import { DateTime, type Duration, Effect, Layer, Option } from "effect"
import { v7 } from "uuid"
import { TestDatabase, TestDatabaseUrl } from "../TestDatabase.js"

const Live = SessionRepoSql.pipe(Layer.provideMerge(TestDatabase), Layer.provideMerge(TestDatabaseUrl.Live))

/** A minimal API key. */
const makeKey = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = ApiKeyId.make(v7())
  yield* sql`INSERT INTO api_keys (id, name, start, hash, permissions, created_at)
    VALUES (${id}, 'A key', 'sk_sm_', ${id}, '{}', now())`
  return id
})

const start = (hash: string, lasts: Duration.DurationInput, key = makeKey) =>
  Effect.gen(function* () {
    const repo = yield* SessionRepo
    const now = yield* DateTime.now
    const expiresAt = DateTime.addDuration(now, lasts)
    yield* repo.insert({
      hash,
      organizationId: OrganizationId.make(v7()),
      apiKeyId: yield* key,
      keyHash: `key of ${hash}`,
      createdAt: now,
      expiresAt
    })
    return expiresAt
  })

/** The key hash of a session; null if there is no such session. */
const find = (hash: string) =>
  Effect.flatMap(SessionRepo, (repo) =>
    Effect.map(repo.find(hash), (session) => Option.getOrNull(Option.map(session, ({ keyHash }) => keyHash)))
  )

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("SessionRepo on PostgreSQL", (it) => {
  it.effect("finds a session by its hash until it expires or is removed", () =>
    Effect.gen(function* () {
      const repo = yield* SessionRepo
      const expiresAt = yield* start("one", "12 hours")
      yield* start("two", "12 hours")
      yield* start("over", "0 seconds")
      assert.strictEqual(yield* find("one"), "key of one")
      assert.deepStrictEqual(
        Option.map(yield* repo.find("one"), ({ expiresAt }) => expiresAt),
        Option.some(expiresAt)
      )
      assert.isNull(yield* find("over"))
      assert.isNull(yield* find("none"))
      yield* repo.remove("one")
      yield* repo.remove("one")
      assert.isNull(yield* find("one"))
      assert.strictEqual(yield* find("two"), "key of two")
    })
  )

  it.effect("removes a session with its key", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const key = yield* makeKey
      yield* start("orphan", "12 hours", Effect.succeed(key))
      yield* sql`DELETE FROM api_keys WHERE id = ${key}`
      assert.isNull(yield* find("orphan"))
    })
  )

  it.effect("deletes all expired sessions in batches, once for concurrent workers, and no others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { deleteExpired } = yield* SessionRepo
      yield* sql`TRUNCATE sessions`
      const key = yield* makeKey
      const fill = (count: number, name: string, left: string) =>
        sql`INSERT INTO sessions (hash, organization_id, api_key_id, key_hash, created_at, expires_at)
          SELECT ${name} || n, gen_random_uuid(), ${key}, '', now(), now() + ${left}::interval
          FROM generate_series(1, ${count}::int) AS n`
      yield* fill(2_500, "old", "-1 second")
      yield* fill(50, "fresh", "1 hour")
      const counts = yield* Effect.all([deleteExpired, deleteExpired], { concurrency: "unbounded" })
      assert.strictEqual(counts[0] + counts[1], 2_500)
      const [row] = yield* sql`SELECT count(*)::int AS left, bool_and(hash LIKE 'fresh%') AS fresh FROM sessions`
      assert.deepStrictEqual({ ...row }, { left: 50, fresh: true })
    })
  )
})
