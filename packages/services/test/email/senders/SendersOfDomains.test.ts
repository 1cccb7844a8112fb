import { assert, it } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Layer, Schema, TestClock } from "effect"
import { DomainRepo } from "../../../src/email/domains/DomainRepo.js"
import { SenderRepo } from "../../../src/email/senders/SenderRepo.js"
import { Senders } from "../../../src/email/senders/Senders.js"

const address = Schema.decodeSync(EmailAddress)
const own = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const other = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250001")

/** A sender `ada@senders.test`, and the domain `domains.test`, verified until the test's clock shows 5 minutes past. */
const Live = Senders.Default.pipe(
  Layer.provide(
    Layer.succeed(SenderRepo, {
      findVerified: (organization, email) =>
        organization === own && email === "ada@senders.test"
          ? Effect.succeedSome({ email, name: "Ada", replyTo: null })
          : Effect.succeedNone,
      findDefault: () => Effect.succeedNone,
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
        address: address("bob@domains.test")
      })
      assert.deepStrictEqual(yield* resolve(own, "bob@Domains.test"), {
        name: undefined,
        address: address("bob@domains.test")
      })
      assert.deepInclude(yield* resolve(own, "ada@senders.test"), { address: address("ada@senders.test") })
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
})
