import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { SessionRepo } from "@switchboard/services/sessions/SessionRepo"
import { DateTime, type Duration, Effect, Option } from "effect"
import { v7 } from "uuid"
import { StoreLive } from "../StoreLive.js"

/** A minimal API key. */
const makeKey = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = ApiKeyId.make(v7())
  yield* sql`INSERT INTO api_keys (id, name, start, hash, permissions, created_at)
    VALUES (${id}, 'A key', 'sk_sm_', ${id}, '{}', now())`
  return id
})

/** An API key of an organization; its hash is its id. */
const makeOwnKey = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [apiKeyId, organizationId] = [yield* makeKey, v7()]
  yield* sql`INSERT INTO organizations (id, name, slug, default_currency, plan, created_at, updated_at)
    VALUES (${organizationId}, 'One', ${organizationId}, 'USD', 'free', now(), now())`
  yield* sql`UPDATE api_keys SET organization_id = ${organizationId} WHERE id = ${apiKeyId}`
  return { apiKeyId, organizationId }
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

layer(StoreLive, { excludeTestServices: true })("SessionRepo on PostgreSQL", (it) => {
  it.effect("removes a session with its key", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const key = yield* makeKey
      yield* start("orphan", "12 hours", Effect.succeed(key))
      yield* sql`DELETE FROM api_keys WHERE id = ${key}`
      assert.isNull(yield* find("orphan"))
    })
  )

  it.effect("exchanges no expired token, and deletes it with the next link", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { exchangeLoginToken, insertLoginToken } = yield* SessionRepo
      const { apiKeyId } = yield* makeOwnKey
      const now = yield* DateTime.now
      yield* insertLoginToken({ hash: "late", apiKeyId, expiresAt: DateTime.subtract(now, { seconds: 1 }) })
      const exchanged = yield* exchangeLoginToken("late", { hash: "never", createdAt: now, expiresAt: now })
      assert.isTrue(Option.isNone(exchanged))
      yield* insertLoginToken({ hash: "next", apiKeyId, expiresAt: DateTime.add(now, { minutes: 15 }) })
      const left = yield* sql`SELECT hash FROM login_tokens WHERE hash IN ('late', 'next')`
      assert.deepStrictEqual(
        left.map(({ hash }) => hash),
        ["next"]
      )
    })
  )

  it.effect("stores no link for a key that has ended or belongs to no organization", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { insertLoginToken } = yield* SessionRepo
      const expiresAt = DateTime.add(yield* DateTime.now, { minutes: 15 })
      const isStored = (apiKeyId: ApiKeyId) => insertLoginToken({ hash: v7(), apiKeyId, expiresAt })
      assert.isFalse(yield* isStored(yield* makeKey))
      assert.isFalse(yield* isStored(ApiKeyId.make(v7())))
      for (const change of ["is_active = false", "removed_at = now()", "expires_at = now()"]) {
        const { apiKeyId } = yield* makeOwnKey
        assert.isTrue(yield* isStored(apiKeyId))
        yield* sql`UPDATE api_keys SET ${sql.literal(change)} WHERE id = ${apiKeyId}`
        assert.isFalse(yield* isStored(apiKeyId), change)
      }
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
