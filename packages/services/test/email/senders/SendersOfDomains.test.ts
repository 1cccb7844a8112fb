import { assert, it } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { SenderRepo } from "@switchboard/services/email/senders/SenderRepo"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { DateTime, Effect, Layer, Option, Schema, TestClock } from "effect"

const address = Schema.decodeSync(EmailAddress)
const own = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const other = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250001")

/** Who may be changed by a test: the default sender, and whether `cyd@senders.test` is one. */
const changing: { defaultSender: string | null; cyd: boolean } = { defaultSender: null, cyd: false }

const knows = (email: string) => email === "ada@senders.test" || (email === "cyd@senders.test" && changing.cyd)

/** A sender `ada@senders.test`, and the domain `domains.test`, verified until the test's clock shows 5 minutes past. */
const Live = Senders.Default.pipe(
  Layer.provide(
    Layer.succeed(SenderRepo, {
      findVerified: (organization, email) =>
        Effect.sync(() =>
          organization === own && knows(email)
            ? Option.some({ email, name: "Ada", replyTo: address("help@senders.test") })
            : Option.none()
        ),
      findDefault: (organization) =>
        Effect.sync(() =>
          organization === own && changing.defaultSender !== null
            ? Option.some({
                email: address(changing.defaultSender),
                name: "Ada",
                replyTo: address("help@senders.test")
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
        )
    })
  )
)

const resolve = (organization: OrganizationId, text: string, name?: string) =>
  Effect.flatMap(Senders, (senders) => senders.resolve(organization, { name, address: address(text) }))

it.layer(Live)("A message", (it) => {
  it.effect("goes out as any address of a domain that sends, under the name that it gives", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* resolve(own, "bob@domains.test", "Bob"), {
        name: "Bob",
        address: address("bob@domains.test"),
        replyTo: null
      })
      assert.deepStrictEqual(yield* resolve(own, "bob@Domains.test"), {
        name: undefined,
        address: address("bob@domains.test"),
        replyTo: null
      })
      assert.deepStrictEqual(yield* resolve(own, "ada@senders.test", "Grace"), {
        name: "Grace",
        address: address("ada@senders.test"),
        replyTo: address("help@senders.test")
      })
    })
  )

  it.effect("goes out as nobody else", () =>
    Effect.gen(function* () {
      for (const asked of [
        resolve(own, "bob@mail.domains.test"),
        resolve(own, "bob@senders.test"),
        resolve(other, "bob@domains.test"),
        resolve(other, "ada@senders.test")
      ]) {
        const error = yield* Effect.flip(asked)
        assert.include(error, { _tag: "ValidationError" })
        assert.include(JSON.stringify(error), "email.from")
      }
    })
  )

  it.effect("goes out no more within the second in which the domain's time is over", () =>
    Effect.gen(function* () {
      yield* resolve(own, "eve@domains.test")
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* Effect.flip(resolve(own, "eve@domains.test")))._tag, "ValidationError")
    })
  )

  it.effect("goes out as whoever was added after a refusal, at once", () =>
    Effect.gen(function* () {
      changing.cyd = false
      changing.defaultSender = null
      const { resolve: asked } = yield* Senders
      assert.strictEqual((yield* Effect.flip(resolve(own, "cyd@senders.test")))._tag, "ValidationError")
      assert.strictEqual((yield* Effect.flip(asked(own, undefined)))._tag, "ValidationError")
      changing.cyd = true
      changing.defaultSender = "cyd@senders.test"
      assert.deepInclude(yield* resolve(own, "cyd@senders.test"), { address: address("cyd@senders.test") })
      assert.deepInclude(yield* asked(own, undefined), { address: address("cyd@senders.test") })
    })
  )

  it.effect("goes out at once as what the organization's senders have become, once that is told", () =>
    Effect.gen(function* () {
      const { forget, resolve: asked } = yield* Senders
      changing.cyd = true
      changing.defaultSender = "ada@senders.test"
      yield* forget(own)
      yield* resolve(own, "cyd@senders.test")
      yield* asked(own, undefined)
      changing.cyd = false
      changing.defaultSender = "cyd@senders.test"
      yield* forget(other)
      assert.deepInclude(yield* asked(own, undefined), { address: address("ada@senders.test") })
      yield* forget(own)
      assert.deepInclude(yield* asked(own, undefined), { address: address("cyd@senders.test") })
      assert.strictEqual((yield* Effect.flip(resolve(own, "cyd@senders.test")))._tag, "ValidationError")
    })
  )
})
