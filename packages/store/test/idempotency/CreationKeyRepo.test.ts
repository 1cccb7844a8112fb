import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { currentCreationKey, makeCreationKey } from "@switchboard/services/idempotency/CreationKey"
import { CreationKeyRepo } from "@switchboard/services/idempotency/CreationKeyRepo"
import { keyRetention } from "@switchboard/services/messages/IdempotencyRepo"
import { withCreationKey } from "@switchboard/store/idempotency/StoreCreationKey"
import { Effect, Option } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../messages/Fixtures.js"
import { StoreLive } from "../StoreLive.js"

const keyOf = (organizationId: OrganizationId, request: unknown = {}) =>
  Effect.runSync(makeCreationKey({ organizationId, operation: "POST /things", key: "k", request }))

layer(StoreLive, { excludeTestServices: true })("CreationKeyRepo on PostgreSQL", (it) => {
  it.effect("finds what it stored, until it is removed", () =>
    Effect.gen(function* () {
      const repo = yield* CreationKeyRepo
      const key = keyOf(yield* makeOrganization())
      const id = v7()
      assert.deepStrictEqual(yield* repo.find(key), Option.none())
      assert.isTrue(yield* repo.store(key, id))
      assert.isFalse(yield* repo.store(key, id))
      assert.deepStrictEqual(yield* repo.find(key), Option.some({ fingerprint: key.fingerprint, resourceId: id }))
      assert.deepStrictEqual(yield* repo.find(keyOf(yield* makeOrganization())), Option.none())
      yield* repo.remove(key)
      assert.deepStrictEqual(yield* repo.find(key), Option.none())
    })
  )

  it.effect("does not store a key with another resource or request", () =>
    Effect.gen(function* () {
      const repo = yield* CreationKeyRepo
      const own = yield* makeOrganization()
      const id = v7()
      yield* repo.store(keyOf(own), id)
      for (const attempt of [repo.store(keyOf(own), v7()), repo.store(keyOf(own, { other: true }), id)]) {
        assert.instanceOf(yield* Effect.flip(attempt), ServiceUnavailableError)
      }
    })
  )

  it.effect("stores the key of the request in the transaction of its resource, or neither", () =>
    Effect.gen(function* () {
      const repo = yield* CreationKeyRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const key = keyOf(own)
      const rename = (name: string) => sql`UPDATE organizations SET name = ${name} WHERE id = ${own}`
      const named = Effect.map(
        sql<{ readonly name: string }>`SELECT name FROM organizations WHERE id = ${own}`,
        ([row]) => row?.name
      )
      const store = (name: string, id: string | null) =>
        withCreationKey(sql, () => id)(rename(name)).pipe(Effect.locally(currentCreationKey, key))
      yield* store("without a resource", null)
      assert.deepStrictEqual(yield* repo.find(key), Option.none())
      const id = v7()
      yield* store("first", id)
      assert.strictEqual(Option.getOrThrow(yield* repo.find(key)).resourceId, id)
      // A concurrent request lost, also with a resource that existed before.
      for (const other of [v7(), id]) {
        assert.instanceOf(yield* Effect.flip(store("second", other)), ServiceUnavailableError)
        assert.strictEqual(yield* named, "first")
      }
    })
  )

  it.effect("keeps a key for 30 days", () =>
    Effect.gen(function* () {
      const repo = yield* CreationKeyRepo
      const sql = yield* SqlClient.SqlClient
      const key = keyOf(yield* makeOrganization())
      const setAge = (age: string) =>
        sql`UPDATE creation_keys SET created_at = now() - ${age}::interval WHERE hash = ${key.hash}
          AND organization_id = ${key.organizationId}`
      yield* repo.store(key, v7())
      yield* setAge("29 days 23 hours")
      assert.strictEqual(yield* repo.deleteExpired(keyRetention), 0)
      yield* setAge("30 days 1 hour")
      assert.strictEqual(yield* repo.deleteExpired(keyRetention), 1)
      assert.deepStrictEqual(yield* repo.find(key), Option.none())
    })
  )
})
