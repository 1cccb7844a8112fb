import { assert, it } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { untracked } from "@switchboard/domain/email/tracking/Tracking"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { SenderRepo } from "@switchboard/services/email/senders/SenderRepo"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { DateTime, Effect, Layer, Option, Schema, TestClock } from "effect"

const tracking = { trackOpens: true, trackClicks: false }
const address = Schema.decodeSync(EmailAddress)
const own = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const other = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250001")

/** The state of the repository that tests change: the default sender, and whether `cyd@senders.test` is a sender. */
const repoState: { defaultSender: string | null; cyd: boolean } = { defaultSender: null, cyd: false }

const isSender = (email: string) => email === "ada@senders.test" || (email === "cyd@senders.test" && repoState.cyd)

/** A sender `ada@senders.test`, and the domain `domains.test`, verified until the test clock reaches 5 minutes. */
const Live = Senders.Default.pipe(
  Layer.provide(
    Layer.succeed(SenderRepo, {
      findVerified: (organization, email) =>
        Effect.sync(() =>
          organization === own && isSender(email)
            ? Option.some({ email, name: "Ada", replyTo: address("help@senders.test"), tracking })
            : Option.none()
        ),
      findDefault: (organization) =>
        Effect.sync(() =>
          organization === own && repoState.defaultSender !== null
            ? Option.some({
                email: address(repoState.defaultSender),
                name: "Ada",
                replyTo: address("help@senders.test"),
                tracking
              })
            : Option.none()
        ),
      findFirstOwner: () => Effect.succeedNone
    })
  ),
  Layer.provide(
    Layer.mock(DomainRepo, {
      sends: (organization, domain, degradedSince) =>
        Effect.succeed(
          organization === own &&
            domain === "domains.test" &&
            DateTime.lessThan(degradedSince, DateTime.subtract(DateTime.unsafeMake(5 * 60_000), { hours: 72 }))
            ? Option.some(untracked)
            : Option.none()
        )
    })
  )
)

const resolve = (organization: OrganizationId, text: string, name?: string) =>
  Effect.flatMap(Senders, (senders) => senders.resolve(organization, { name, address: address(text) }))

it.layer(Live)("Senders.resolve", (it) => {
  it.effect("accepts any address of a verified domain, with the requested name", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* resolve(own, "bob@domains.test", "Bob"), {
        name: "Bob",
        address: address("bob@domains.test"),
        replyTo: null,
        tracking: untracked
      })
      assert.deepStrictEqual(yield* resolve(own, "bob@Domains.test"), {
        name: undefined,
        address: address("bob@domains.test"),
        replyTo: null,
        tracking: untracked
      })
      assert.deepStrictEqual(yield* resolve(own, "ada@senders.test", "Grace"), {
        name: "Grace",
        address: address("ada@senders.test"),
        replyTo: address("help@senders.test"),
        tracking
      })
    })
  )

  it.effect("rejects addresses of other domains and organizations", () =>
    Effect.gen(function* () {
      for (const attempt of [
        resolve(own, "bob@mail.domains.test"),
        resolve(own, "bob@senders.test"),
        resolve(other, "bob@domains.test"),
        resolve(other, "ada@senders.test")
      ]) {
        const error = yield* Effect.flip(attempt)
        assert.include(error, { _tag: "ValidationError" })
        assert.include(JSON.stringify(error), "email.from")
      }
    })
  )

  it.effect("rejects a sender within a second after its domain lost its verification", () =>
    Effect.gen(function* () {
      yield* resolve(own, "eve@domains.test")
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* Effect.flip(resolve(own, "eve@domains.test")))._tag, "ValidationError")
    })
  )

  it.effect("does not cache a rejection", () =>
    Effect.gen(function* () {
      repoState.cyd = false
      repoState.defaultSender = null
      const { resolve: resolveSender } = yield* Senders
      assert.strictEqual((yield* Effect.flip(resolve(own, "cyd@senders.test")))._tag, "ValidationError")
      assert.strictEqual((yield* Effect.flip(resolveSender(own, undefined)))._tag, "ValidationError")
      repoState.cyd = true
      repoState.defaultSender = "cyd@senders.test"
      assert.deepInclude(yield* resolve(own, "cyd@senders.test"), { address: address("cyd@senders.test") })
      assert.deepInclude(yield* resolveSender(own, undefined), { address: address("cyd@senders.test") })
    })
  )

  it.effect("resolves again after the organization's cache entry is invalidated", () =>
    Effect.gen(function* () {
      const { invalidate, resolve: resolveSender } = yield* Senders
      repoState.cyd = true
      repoState.defaultSender = "ada@senders.test"
      yield* invalidate(own)
      yield* resolve(own, "cyd@senders.test")
      yield* resolveSender(own, undefined)
      repoState.cyd = false
      repoState.defaultSender = "cyd@senders.test"
      yield* invalidate(other)
      assert.deepInclude(yield* resolveSender(own, undefined), { address: address("ada@senders.test") })
      yield* invalidate(own)
      assert.deepInclude(yield* resolveSender(own, undefined), { address: address("cyd@senders.test") })
      assert.strictEqual((yield* Effect.flip(resolve(own, "cyd@senders.test")))._tag, "ValidationError")
    })
  )
})
