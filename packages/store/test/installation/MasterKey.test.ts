import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { dkimOwner, dkimPurpose } from "@switchboard/services/email/domains/DkimKeys"
import { InstallationRepo } from "@switchboard/services/installation/InstallationRepo"
import { MasterKeyCheck, rotateMasterKey } from "@switchboard/services/installation/MasterKey"
import { MasterKey, PreviousMasterKey, SecretBox, Signatures } from "@switchboard/services/SecretBox"
import { headersPurpose, secretPurpose } from "@switchboard/services/webhooks/delivery/SignedPost"
import { storeSecret } from "@switchboard/store/installation/Secrets"
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

const hush = Redacted.make("hush")

/** What the secrets of one owner are encrypted for: a domain, an endpoint or a voice agent. */
const boundTo = (id: string) => [
  [dkimPurpose, dkimOwner(EmailDomainId.make(id), "sm1")] as const,
  [dkimPurpose, dkimOwner(EmailDomainId.make(id), "sm2")] as const,
  [secretPurpose, id] as const,
  [headersPurpose, id] as const
]

/** Stores four secrets for each of this many owners. Returns the owners. */
const store = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { seal } = yield* SecretBox
    const organization = yield* makeOrganization()
    const secrets = (id: string) =>
      Effect.forEach(boundTo(id), ([purpose, owner]) =>
        storeSecret(sql, organization, purpose, owner, seal(purpose, owner, hush))
      )
    const ids = Array.from({ length: count }, () => v7())
    yield* Effect.forEach(ids, secrets)
    return ids
  })

/** Whether the process decrypts all secrets. */
const readsAll = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { open } = yield* SecretBox
  const rows = yield* sql<{ purpose: string; owner: string; value: Uint8Array }>`SELECT * FROM secrets`
  const opened = yield* Effect.forEach(rows, ({ owner, purpose, value }) => open(purpose, owner, value))
  return opened.every((one) => Redacted.value(one) === "hush")
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

layer(OwnStoreLive, options)("The rotation of the master key", (it) => {
  it.effect("encrypts all secrets under the new key, also after an interruption, and then refuses the old key", () =>
    Effect.gen(function* () {
      yield* Effect.provide(Effect.zipRight(register, store(105)), under(1))
      assert.isFalse(yield* Effect.provide(register, under(2)), "a new key alone is refused")
      assert.isTrue(yield* Effect.provide(register, under(2, 1)))
      assert.isTrue(yield* Effect.provide(readsAll, under(2, 1)))

      // A run that ends after one batch.
      const repo = yield* InstallationRepo
      let batches = 0
      const interrupted = Layer.succeed(InstallationRepo, {
        ...repo,
        replaceSecrets: (batch) => (batches++ === 1 ? Effect.interrupt : repo.replaceSecrets(batch))
      })
      yield* Effect.exit(rotateMasterKey.pipe(Effect.provide(interrupted), Effect.provide(under(2, 1))))
      assert.isFalse(yield* Effect.provide(readsAll, under(1)))
      assert.isFalse(yield* Effect.provide(readsAll, under(2)))
      assert.isTrue(yield* Effect.provide(readsAll, under(2, 1)))

      assert.strictEqual(yield* Effect.provide(rotateMasterKey, under(2, 1)), 320)
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
      assert.include(failure.message, `(webhook-headers of ${id}, webhook-secret of ${id}, dkim-key of ${id}/sm1`)
      assert.isTrue(yield* Effect.provide(register, under(2)))
      yield* sql`DELETE FROM secrets WHERE owner LIKE ${`${id}%`}`
      yield* Effect.provide(rotateMasterKey, under(3, 2))
      assert.isFalse(yield* Effect.provide(register, under(2)))
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
