import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { contentRetention, IdempotencyRepo, keyRetention } from "@switchboard/services/messages/IdempotencyRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Duration, Effect } from "effect"
import { StoreLive } from "../StoreLive.js"
import { makeOrganization, newMessage } from "./Fixtures.js"

const deleteExpired = Effect.flatMap(IdempotencyRepo, (repo) =>
  repo.deleteExpired({ keys: keyRetention, contents: contentRetention(Duration.seconds(60)) })
)

const claimsAge = (age: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE message_claims SET created_at = now() - ${age}::interval`)

const contentsAge = (age: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE message_contents SET accepted_at = now() - ${age}::interval`)

const deleteAll = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`TRUNCATE message_claims, message_contents`)

layer(StoreLive, { excludeTestServices: true })("IdempotencyRepo on PostgreSQL", (it) => {
  it.effect("keeps a key for 30 days, and returns the earlier message until then", () =>
    Effect.gen(function* () {
      yield* deleteAll
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const send = (contentHash: string) =>
        Effect.flatMap(newMessage(own, { key: "k", contentHash }), (message) => repo.accept(message))
      const first = yield* send("one")
      yield* claimsAge("29 days 23 hours")
      assert.strictEqual((yield* deleteExpired).keys, 0)
      const again = yield* send("two")
      assert.isTrue(again.replayed)
      assert.strictEqual(again.message.id, first.message.id)
      yield* claimsAge("30 days 1 hour")
      assert.strictEqual((yield* deleteExpired).keys, 1)
      assert.isFalse((yield* send("three")).replayed)
    })
  )

  it.effect("keeps the key of a deleted message for the same time", () =>
    Effect.gen(function* () {
      yield* deleteAll
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const send = Effect.flatMap(newMessage(own, { key: "k" }), (message) => repo.accept(message))
      const { message } = yield* send
      yield* repo.remove(own, message.id)
      yield* claimsAge("29 days 23 hours")
      yield* deleteExpired
      assert.strictEqual((yield* Effect.flip(send))._tag, "ConflictError")
      yield* claimsAge("30 days 1 hour")
      yield* deleteExpired
      assert.isFalse((yield* send).replayed)
    })
  )

  it.effect("keeps a content for its window, at least a day", () =>
    Effect.gen(function* () {
      yield* deleteAll
      const repo = yield* MessageRepo
      const records = yield* IdempotencyRepo
      const own = yield* makeOrganization()
      const send = Effect.flatMap(newMessage(own, { contentHash: "same", window: "2 days" }), (message) =>
        repo.accept(message)
      )
      yield* send
      yield* contentsAge("23 hours")
      assert.strictEqual((yield* deleteExpired).contents, 0)
      yield* contentsAge("25 hours")
      assert.strictEqual(
        (yield* records.deleteExpired({ keys: keyRetention, contents: contentRetention(Duration.days(2)) })).contents,
        0
      )
      assert.isTrue((yield* send).replayed)
      assert.strictEqual((yield* deleteExpired).contents, 1)
      assert.isFalse((yield* send).replayed)
    })
  )

  it.effect("deletes all expired records in batches, and no others", () =>
    Effect.gen(function* () {
      yield* deleteAll
      const sql = yield* SqlClient.SqlClient
      const fill = (count: number, name: string, keys: string, contents: string) =>
        Effect.zipRight(
          sql`INSERT INTO message_claims (organization_id, key, fingerprint, message_id, created_at)
            SELECT gen_random_uuid(), ${name} || n, '', gen_random_uuid(), now() - ${keys}::interval
            FROM generate_series(1, ${count}::int) AS n`,
          sql`INSERT INTO message_contents (organization_id, content_hash, message_id, accepted_at)
            SELECT gen_random_uuid(), ${name} || n, gen_random_uuid(), now() - ${contents}::interval
            FROM generate_series(1, ${count}::int) AS n`
        )
      yield* fill(2_500, "old", "31 days", "25 hours")
      yield* fill(50, "fresh", "29 days", "23 hours")
      // Two concurrent workers do not wait for each other, or count the same deletions.
      const counts = yield* Effect.all([deleteExpired, deleteExpired], { concurrency: "unbounded" })
      const sum = (of: "keys" | "contents") => counts.reduce((total, one) => total + one[of], 0)
      assert.deepStrictEqual({ keys: sum("keys"), contents: sum("contents") }, { keys: 2_500, contents: 2_500 })
      const left = yield* sql`SELECT (SELECT count(*)::int FROM message_claims WHERE key LIKE 'fresh%') AS fresh_keys,
        (SELECT count(*)::int FROM message_claims) AS keys,
        (SELECT count(*)::int FROM message_contents WHERE content_hash LIKE 'fresh%') AS fresh_contents,
        (SELECT count(*)::int FROM message_contents) AS contents`
      assert.deepStrictEqual([...left], [{ fresh_keys: 50, keys: 50, fresh_contents: 50, contents: 50 }])
    })
  )
})
