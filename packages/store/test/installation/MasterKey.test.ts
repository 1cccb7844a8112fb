import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { dkimOwner, dkimPurpose } from "@switchboard/services/email/domains/DkimKeys"
import { InstallationRepo } from "@switchboard/services/installation/InstallationRepo"
import { MasterKeyCheck } from "@switchboard/services/installation/MasterKeyCheck"
import { rotateMasterKey } from "@switchboard/services/installation/RotateMasterKey"
import { SecretRepo } from "@switchboard/services/installation/SecretRepo"
import { MasterKey, PreviousMasterKey, SecretBox, Signatures } from "@switchboard/services/SecretBox"
import { headersPurpose, secretPurpose } from "@switchboard/services/webhooks/delivery/SignedPost"
import { Effect, Layer, Option, Redacted } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"

const keyOf = (fill: number) => Redacted.make(new Uint8Array(32).fill(fill))

/** A process with this master key, and the one before it. */
const under = (current: number, previous?: number) =>
  MasterKeyCheck.Live.pipe(
    Layer.provideMerge(Layer.merge(SecretBox.Live, Signatures.Live)),
    Layer.provide(Layer.succeed(MasterKey, keyOf(current))),
    Layer.provide(Layer.succeed(PreviousMasterKey, Option.map(Option.fromNullable(previous), keyOf)))
  )

const register = Effect.flatMap(MasterKeyCheck, (check) => check.register)
const fits = (fill: number) =>
  Effect.provide(
    Effect.flatMap(MasterKeyCheck, (check) => check.matches),
    under(fill)
  )
const claim = (fill: number) => Effect.provide(register, under(fill))
const keyFingerprint = Effect.flatMap(InstallationRepo, (repo) => repo.keyFingerprint)

/** Stores this many webhook endpoints with secrets and headers. */
const store = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { seal } = yield* SecretBox
    const organization = yield* makeOrganization()
    const hush = Redacted.make("hush")
    const endpoint = Effect.gen(function* () {
      const id = v7()
      yield* sql`INSERT INTO webhook_endpoints (organization_id, id, name, slug, url, events, filters, rate_limit,
          priority, status, test_mode, secret, headers, created_at, updated_at)
        VALUES (${organization}, ${id}, 'a', ${id}, 'https://example.com', '{}', '{}', '{}', 0, 'active', false,
          ${seal(secretPurpose, id, hush)}, ${seal(headersPurpose, id, hush)}, now(), now())`
      yield* Effect.replicateEffect(
        sql`INSERT INTO earlier_webhook_secrets (organization_id, endpoint_id, secret, signs_until)
          VALUES (${organization}, ${id}, ${seal(secretPurpose, id, hush)}, now())`,
        2
      )
      return id
    })
    return yield* Effect.replicateEffect(endpoint, count)
  })

const endpoints = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<{ id: string; secrets: ReadonlyArray<Uint8Array>; headers: Uint8Array }>`SELECT id, headers, secret || ARRAY(
      SELECT secret FROM earlier_webhook_secrets WHERE endpoint_id = w.id) AS secrets FROM webhook_endpoints AS w`
)

/** Whether the process decrypts all secrets. */
const readsAll = Effect.gen(function* () {
  const { open } = yield* SecretBox
  const rows = yield* endpoints
  const opened = yield* Effect.forEach(rows, ({ headers, id, secrets }) =>
    Effect.all([open(headersPurpose, id, headers), ...secrets.map((secret) => open(secretPurpose, id, secret))])
  )
  return opened.flat().every((one) => Redacted.value(one) === "hush")
}).pipe(Effect.catchTag("SecretUnreadable", () => Effect.succeed(false)))

const options = { excludeTestServices: true } as const

layer(OwnStoreLive, options)("The master key of an empty database", (it) => {
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

layer(OwnStoreLive, options)("The master key of an existing installation", (it) => {
  it.effect("must decrypt the existing secrets, and is stored", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.provide(store(1), under(1))
      assert.deepStrictEqual([yield* fits(2), yield* claim(2)], [false, false])
      assert.isTrue(Option.isNone(yield* keyFingerprint))
      assert.deepStrictEqual([yield* fits(1), yield* claim(1)], [true, true])
      assert.isTrue(Option.isSome(yield* keyFingerprint))
      yield* sql`DELETE FROM webhook_endpoints`
      assert.deepStrictEqual([yield* claim(2), yield* claim(1)], [false, true])
    })
  )
})

layer(OwnStoreLive, options)("The rotation of the master key", (it) => {
  it.effect("encrypts all secrets under the new key, also after an interruption, and then refuses the old key", () =>
    Effect.gen(function* () {
      yield* Effect.provide(Effect.zipRight(register, store(130)), under(1))
      assert.isFalse(yield* Effect.provide(register, under(2)), "a new key alone is refused")
      assert.isTrue(yield* Effect.provide(register, under(2, 1)))
      assert.isTrue(yield* Effect.provide(readsAll, under(2, 1)))

      // A run that ends after one batch.
      const repo = yield* SecretRepo
      let batches = 0
      const interrupted = Layer.succeed(SecretRepo, {
        ...repo,
        replace: (...batch) => (batches++ === 1 ? Effect.interrupt : repo.replace(...batch))
      })
      yield* Effect.exit(rotateMasterKey.pipe(Effect.provide(interrupted), Effect.provide(under(2, 1))))
      assert.isFalse(yield* Effect.provide(readsAll, under(1)))
      assert.isFalse(yield* Effect.provide(readsAll, under(2)))
      assert.isTrue(yield* Effect.provide(readsAll, under(2, 1)))

      assert.strictEqual(yield* Effect.provide(rotateMasterKey, under(2, 1)), 420)
      assert.isTrue(yield* Effect.provide(readsAll, under(2)))
      assert.deepStrictEqual(
        yield* Effect.forEach([under(2), under(1), under(3, 2)], (process) => Effect.provide(register, process)),
        [true, false, true]
      )
      assert.strictEqual(yield* Effect.provide(rotateMasterKey, under(2, 1)), 0)
    })
  )

  it.effect("names the secrets that neither key decrypts, and keeps the fingerprint", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [id = ""] = yield* Effect.provide(store(1), under(9))
      const failure = yield* Effect.flip(Effect.provide(rotateMasterKey, under(3, 2)))
      assert.include(failure.message, "4 secrets can't be decrypted with MASTER_KEY or MASTER_KEY_PREVIOUS")
      assert.include(failure.message, `secret of webhook endpoint ${id}, headers of webhook endpoint ${id}`)
      assert.isTrue(yield* Effect.provide(register, under(2)))
      yield* sql`DELETE FROM webhook_endpoints WHERE id = ${id}`
      yield* Effect.provide(rotateMasterKey, under(3, 2))
      assert.isFalse(yield* Effect.provide(register, under(2)))
    })
  )

  it.effect("encrypts the keys of domains and the secrets of voice agents for their owners", () =>
    Effect.gen(function* () {
      const repo = yield* SecretRepo
      const sealer = yield* Effect.provide(SecretBox, under(4))
      const rotated = new Map<string, Uint8Array>()
      const id = v7()
      const owners = {
        "DKIM key sm1": [dkimPurpose, dkimOwner(EmailDomainId.make(id), "sm1")],
        "DKIM key sm2": [dkimPurpose, dkimOwner(EmailDomainId.make(id), "sm2")],
        "webhook secret of voice agent": [secretPurpose, id],
        "webhook headers of voice agent": [headersPurpose, id]
      } as const
      const stored = Layer.succeed(SecretRepo, {
        underOtherKeys: (kind, keyId, after, limit) => {
          const owner = Object.entries(owners).find(([name]) => name === kind)?.[1]
          return Effect.zipRight(
            // The statement of every kind is valid.
            repo.underOtherKeys(kind, keyId, after, limit),
            Effect.succeed(
              owner === undefined || rotated.has(kind)
                ? []
                : [
                    {
                      organizationId: v7(),
                      id,
                      owner: id,
                      sealed: sealer.seal(owner[0], owner[1], Redacted.make("hush"))
                    }
                  ]
            )
          )
        },
        replace: (kind, secrets) =>
          Effect.zipRight(
            repo.replace(kind, secrets),
            Effect.sync(() => {
              for (const { resealed } of secrets) rotated.set(kind, resealed)
              return secrets.length
            })
          )
      })
      assert.strictEqual(
        yield* rotateMasterKey.pipe(Effect.provide(stored), Effect.provide(under(5, 4))),
        Object.keys(owners).length
      )
      const { open } = yield* Effect.provide(SecretBox, under(5))
      for (const [kind, owner] of Object.entries(owners)) {
        const opened = yield* open(owner[0], owner[1], rotated.get(kind) ?? new Uint8Array())
        assert.strictEqual(Redacted.value(opened), "hush")
      }
    })
  )

  it.effect("verifies signatures of the previous key, and signs with the new one", () =>
    Effect.gen(function* () {
      const [old, both, fresh] = yield* Effect.forEach([under(1), under(2, 1), under(2)], (process) =>
        Effect.provide(Signatures, process)
      )
      const link = old?.sign("unsubscribe", "ada") ?? ""
      assert.isTrue(both?.verify("unsubscribe", "ada", link))
      assert.isFalse(both?.verify("unsubscribe", "eve", link))
      assert.isFalse(fresh?.verify("unsubscribe", "ada", link))
      assert.strictEqual(both?.sign("unsubscribe", "ada"), fresh?.sign("unsubscribe", "ada"))
    })
  )
})
