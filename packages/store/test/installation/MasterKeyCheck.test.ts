import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { InstallationRepo } from "@switchboard/services/installation/InstallationRepo"
import { MasterKeyCheck } from "@switchboard/services/installation/MasterKeyCheck"
import { SecretBox } from "@switchboard/services/SecretBox"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { InstallationRepoSql } from "@switchboard/store/installation/InstallationRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { Effect, Layer, Option, Redacted } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnDatabase } from "../TestDatabase.js"

const Live = Layer.merge(InstallationRepoSql, OrganizationRepoSql).pipe(Layer.provideMerge(OwnDatabase))

/** A process with this master key. */
const under = (fill: number) =>
  Layer.mergeAll(MasterKeyCheck.Live, SecretBox.Live).pipe(
    Layer.provideMerge(Layer.merge(SecretBox.Live, Signatures.Live)),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(fill))))
  )

const fits = (fill: number) =>
  Effect.provide(
    Effect.flatMap(MasterKeyCheck, (check) => check.matches),
    under(fill)
  )
const claim = (fill: number) =>
  Effect.provide(
    Effect.flatMap(MasterKeyCheck, (check) => check.register),
    under(fill)
  )
const keyFingerprint = Effect.flatMap(InstallationRepo, (repo) => repo.keyFingerprint)

const options = { excludeTestServices: true } as const

layer(Live, options)("The master key of an empty database", (it) => {
  it.effect("can be any; one of several that start concurrently is stored", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual([yield* fits(1), yield* fits(2)], [true, true])
      assert.isTrue(Option.isNone(yield* keyFingerprint), "a check changes nothing")
      const claims = yield* Effect.forEach([1, 2, 3], claim, { concurrency: "unbounded" })
      assert.lengthOf(
        claims.filter((well) => well),
        1
      )
      const mark = yield* keyFingerprint
      const { storeKeyFingerprint } = yield* InstallationRepo
      assert.deepStrictEqual(Option.some(yield* storeKeyFingerprint("of a process that checked before")), mark)
      const first = claims.indexOf(true) + 1
      for (const key of [1, 2, 3]) {
        assert.deepStrictEqual([yield* fits(key), yield* claim(key)], [key === first, key === first])
      }
    })
  )
})

layer(Live, options)("The master key of an existing installation", (it) => {
  it.effect("must decrypt the existing secrets, and is stored", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [organization, id] = [yield* makeOrganization(), v7()]
      const secret = yield* Effect.provide(
        Effect.map(SecretBox, ({ seal }) => seal("webhook-secret", id, Redacted.make("hush"))),
        under(1)
      )
      yield* sql`INSERT INTO webhook_endpoints (organization_id, id, name, slug, url, events, filters, rate_limit,
          priority, status, test_mode, secret, created_at, updated_at)
        VALUES (${organization}, ${id}, 'a', 'a', 'https://example.com', '{}', '{}', '{}', 0, 'active', false, ${secret},
          now(), now())`
      assert.deepStrictEqual([yield* fits(2), yield* claim(2)], [false, false])
      assert.isTrue(Option.isNone(yield* keyFingerprint))
      assert.deepStrictEqual([yield* fits(1), yield* claim(1)], [true, true])
      assert.isTrue(Option.isSome(yield* keyFingerprint))
      yield* sql`DELETE FROM webhook_endpoints`
      assert.deepStrictEqual([yield* claim(2), yield* claim(1)], [false, true])
    })
  )
})
