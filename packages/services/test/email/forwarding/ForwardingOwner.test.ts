import { assert, layer } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ForwardingOwner, forwardPath } from "@switchboard/services/email/forwarding/ForwardPath"
import { InboundAddressRepo } from "@switchboard/services/email/receiving/addresses/InboundAddressRepo"
import { returnPath } from "@switchboard/services/messages/delivery/SignedReferences"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { Effect, Layer, Option, Redacted } from "effect"

const organizationId = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const domainId = EmailDomainId.make("01a1fc1d-cf8f-76d9-be28-5230792500aa")
const known = ForwardingId.make("01a1fc1d-cf8f-76d9-be28-5230792500bb")
const unknown = ForwardingId.make("01a1fc1d-cf8f-76d9-be28-5230792500cc")

/** One domain, with one known forwarding. */
const Repo = Layer.succeed(InboundAddressRepo, {
  find: (domain) =>
    Effect.succeed(
      domain === "desk.test"
        ? Option.some({ organizationId, domainId, receiving: true, isAddress: false, catches: false, excluded: false })
        : Option.none()
    ),
  firstReceivingDomain: Effect.succeed(Option.none()),
  hasForwarding: (organization, id) => Effect.succeed(organization === organizationId && id === known),
  hasMessage: () => Effect.succeed(true)
})

const Live = ForwardingOwner.Default.pipe(
  Layer.provide(Repo),
  Layer.provideMerge(Signatures.Live),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32))))
)

layer(Live)("ForwardingOwner", (it) => {
  it.effect("finds the organization by the signed return path, ignoring case", () =>
    Effect.gen(function* () {
      const owner = yield* ForwardingOwner
      const path = forwardPath(yield* Signatures, known, "desk.test")
      for (const mailFrom of [path, path.toUpperCase()]) {
        assert.deepStrictEqual(yield* owner.find(mailFrom), Option.some(organizationId))
      }
    })
  )

  it.effect("finds no organization for a forged path or an unknown forwarding", () =>
    Effect.gen(function* () {
      const owner = yield* ForwardingOwner
      const signatures = yield* Signatures
      for (const mailFrom of [
        "",
        "ada@desk.test",
        forwardPath(signatures, known, "desk.test").replace(/[0-9a-f]{20}@/, `${"0".repeat(20)}@`),
        forwardPath(signatures, known, "elsewhere.test"),
        forwardPath(signatures, unknown, "desk.test"),
        returnPath.make(signatures, { messageId: MessageId.make(known), domain: "desk.test" })
      ]) {
        assert.deepStrictEqual(yield* owner.find(mailFrom), Option.none(), mailFrom)
      }
    })
  )
})
