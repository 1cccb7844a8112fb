import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ApiKeyRepo } from "@switchboard/services/apiKeys/ApiKeyRepo"
import { SenderRepo } from "@switchboard/services/email/senders/SenderRepo"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { ApiKeyRepoSql } from "@switchboard/store/apiKeys/ApiKeyRepoSql"
import { SenderRepoSql } from "@switchboard/store/email/senders/SenderRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import { v7 } from "uuid"
import { fillDatabase } from "./generated/FillDatabase.js"
import { OwnDatabase } from "./TestDatabase.js"

const organizations = 200

/** At most one statement per eight look-ups. */
const maxStatements = organizations / 8

let statements = 0

/** Counts the statements of the repositories. */
const Counting = Layer.effect(
  SqlClient.SqlClient,
  Effect.map(
    SqlClient.SqlClient,
    (sql) =>
      new Proxy(sql, {
        get: (target, name) => {
          if (name === "unsafe") statements += 1
          return Reflect.get(target, name)
        }
      })
  )
)

const Live = Layer.mergeAll(ApiKeyRepoSql, SenderRepoSql, OrganizationRepoSql).pipe(
  Layer.provide(Counting),
  Layer.provideMerge(OwnDatabase)
)

const address = Schema.decodeSync(EmailAddress)
const hashOf = (key: string) => createHash("sha256").update(key).digest("hex")
const long = DateTime.unsafeMake("2000-01-01T00:00:00Z")

const concurrently = <A, B, E, R>(all: ReadonlyArray<A>, lookUp: (one: A) => Effect.Effect<B, E, R>) =>
  Effect.forEach(all, lookUp, { concurrency: "unbounded" })

layer(Live)("Look-ups of many organizations", (it) => {
  it.effect("share statements, and each finds its own rows", () =>
    Effect.gen(function* () {
      const filled = yield* fillDatabase({ messages: 1, organizations, without: ["events", "webhooks", "activity"] })
      const keys = yield* ApiKeyRepo
      const senders = yield* SenderRepo
      const repo = yield* OrganizationRepo
      const absent = OrganizationId.make(v7())
      const ids = [...filled.map(({ id }) => OrganizationId.make(id)), absent]

      statements = 0
      const identities = yield* concurrently([...filled.map(({ key }) => key), "other"], (key) =>
        keys.findActive(hashOf(key))
      )
      assert.deepStrictEqual(
        identities.map((found) => Option.getOrNull(found)?.id ?? null),
        [...filled.map(({ keyId }) => keyId), null]
      )
      assert.isAtMost(statements, maxStatements)

      statements = 0
      const defaults = yield* concurrently(ids, (id) => senders.findDefault(id, long))
      assert.deepStrictEqual(defaults.map(Option.isSome), [...filled.map(() => true), false])
      const named = yield* concurrently(["HELLO@localhost.test", "ada@localhost.test"], (email) =>
        senders.findVerified(ids[0] ?? absent, address(email), long)
      )
      assert.deepStrictEqual(named.map(Option.isSome), [true, false])
      assert.isAtMost(statements, maxStatements + 2)

      statements = 0
      const found = yield* concurrently(ids, repo.find)
      assert.deepStrictEqual(
        found.map((one) => Option.getOrNull(one)?.id ?? null),
        [...filled.map(({ id }) => id), null]
      )
      assert.isAtMost(statements, maxStatements)
    })
  )

  it.effect("mark keys as used in batches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* ApiKeyRepo
      const stored = yield* sql<{ id: string }>`SELECT id FROM api_keys`
      const at = DateTime.unsafeMake("2026-11-20T09:30:00Z")
      const uses = [...stored.map(({ id }) => id), ...Array.makeBy(1_000, () => v7())].map((id) => ({
        id: ApiKeyId.make(id),
        at
      }))
      statements = 0
      yield* keys.touch(uses)
      assert.strictEqual(statements, 3)
      const [row] =
        yield* sql`SELECT count(*)::int AS keys FROM api_keys WHERE last_used_at = ${DateTime.toDateUtc(at)}`
      assert.deepStrictEqual(row, { keys: organizations })
    })
  )
})
