import { generateKeyPairSync } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { untracked } from "@switchboard/domain/email/tracking/Tracking"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { SecretBox } from "@switchboard/services/SecretBox"
import { Array, DateTime, Effect, Layer, Option, Redacted, TestClock } from "effect"
import { v7 } from "uuid"

const { privateKey } = generateKeyPairSync("ed25519")
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString()

const tenants = Array.makeBy(200, (place) => ({
  organization: OrganizationId.make(v7()),
  domain: `d${place}.test`,
  id: EmailDomainId.make(v7())
}))
const stored = new Map(tenants.map(({ domain, id }) => [domain, { id, sealed: Buffer.from(domain) }]))
const opened: Array<string> = []

const Live = SigningKeys.Default.pipe(
  Layer.provide(
    Layer.mock(DomainRepo, {
      signingKey: (_organization, domain) =>
        Effect.succeed(
          Option.map(Option.fromNullable(stored.get(domain)), (found) => ({
            ...found,
            selector: "sm1",
            isVerified: true,
            receives: true,
            trackingDomain: null,
            ...untracked
          }))
        )
    })
  ),
  Layer.provide(
    Layer.succeed(SecretBox, {
      seal: () => new Uint8Array(),
      keyId: new Uint8Array(4),
      open: (_purpose, owner) =>
        Effect.sync(() => {
          opened.push(owner)
          return Redacted.make(pem)
        })
    })
  )
)

it.layer(Live)("SigningKeys", (it) => {
  it.effect("decrypts the key of each domain once, until the stored key changes", () =>
    Effect.gen(function* () {
      const { signingKeyOf } = yield* SigningKeys
      const signAll = Effect.gen(function* () {
        // No look-up is fresh enough for the next mail.
        yield* TestClock.adjust("10 seconds")
        const now = yield* DateTime.now
        for (const { domain, organization } of tenants) {
          assert.isTrue(Option.isSome(yield* signingKeyOf(organization, domain, now)))
        }
      })
      yield* signAll
      yield* signAll
      assert.lengthOf(opened, tenants.length)

      const { domain, id } = Array.headNonEmpty(tenants)
      stored.set(domain, { id, sealed: Buffer.from("rotated") })
      yield* signAll
      assert.deepStrictEqual(opened.slice(tenants.length), [`${id}/sm1`])
    })
  )
})
