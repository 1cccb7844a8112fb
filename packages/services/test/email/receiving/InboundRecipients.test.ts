import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { forgetRecipient } from "@switchboard/domain/messages/ForgetRecipient"
import { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { InboundRecipients } from "@switchboard/services/email/receiving/addresses/InboundRecipients"
import { RefusedRecipients } from "@switchboard/services/email/receiving/addresses/RefusedRecipients"
import { unsubscribeAddress } from "@switchboard/services/email/send/UnsubscribeAddress"
import { replyAddress, returnPath } from "@switchboard/services/messages/delivery/SignedAddress"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import {
  address,
  Live,
  makeAddress,
  makeCatchAll,
  makeDomain,
  options
} from "@switchboard/store/testing/email/receiving/Fixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { v7 } from "uuid"

/** The domains whose catch-all refused somebody. */
const refused: Array<string> = []
const Refusals = Layer.succeed(
  RefusedRecipients,
  new RefusedRecipients({ note: (_, domainId) => void refused.push(domainId) })
)

const RecipientsLive = InboundRecipients.Default.pipe(
  Layer.provide(Refusals),
  Layer.provideMerge(Live),
  Layer.provideMerge(Signatures.Live),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7))))
)

const find = (text: string) => Effect.flatMap(InboundRecipients, (recipients) => recipients.find(address(text)))

/** What an address stands for, or why it is refused. */
const kindOf = (text: string) =>
  find(text).pipe(
    Effect.map(({ kind }) => kind._tag),
    Effect.catchAll((error) => Effect.succeed(error._tag))
  )

const sent = (organizationId: OrganizationId, to?: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const message = yield* newMessage(organizationId, to === undefined ? {} : { to })
    yield* Effect.flatMap(MessageRepo, ({ accept }) => accept(message))
    return message.facts.id
  })

layer(RecipientsLive, options)("Recipients of mail that comes in", (it) => {
  it.effect("are receiving addresses, in whatever case", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { domain, id } = yield* makeDomain(organization)
      yield* makeAddress(organization, id, `support@${domain}`)
      const found = yield* find(`Support@${domain.toUpperCase()}`)
      assert.deepStrictEqual(found, {
        organizationId: organization,
        address: address(`Support@${domain}`),
        kind: { _tag: "Address", domainId: id }
      })
      assert.strictEqual(yield* kindOf(`sales@${domain}`), "UnknownRecipient")
      assert.strictEqual(yield* kindOf(`support@sub.${domain}`), "RelayDenied")
    })
  )

  it.effect("are of domains that stand and receive", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      for (const [status, receiving, expected] of [
        ["verified", true, "Address"],
        ["degraded", true, "Address"],
        ["verified", false, "RelayDenied"],
        ["pending", true, "RelayDenied"],
        ["failed", true, "RelayDenied"]
      ] as const) {
        const { domain, id } = yield* makeDomain(organization, { status, receiving })
        yield* makeAddress(organization, id, `support@${domain}`)
        yield* makeCatchAll(organization, id)
        assert.strictEqual(yield* kindOf(`support@${domain}`), expected, `${status} ${receiving}`)
      }
    })
  )

  it.effect("are whatever a catch-all that is on does not exclude, after all others", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const one = yield* makeDomain(organization)
      yield* makeAddress(organization, one.id, `support@${one.domain}`)
      yield* makeCatchAll(organization, one.id, [`no-reply@${one.domain}`, `support@${one.domain}`])
      assert.strictEqual(yield* kindOf(`anything@${one.domain}`), "CatchAll")
      assert.strictEqual(yield* kindOf(`No-Reply@${one.domain}`), "UnknownRecipient")
      assert.strictEqual(yield* kindOf(`support@${one.domain}`), "Address")
      const off = yield* makeDomain(organization)
      yield* makeCatchAll(organization, off.id, [], false)
      assert.strictEqual(yield* kindOf(`anything@${off.domain}`), "UnknownRecipient")
      // Only what a catch-all refused is told of it.
      assert.deepStrictEqual(refused, [one.id])
    })
  )

  it.effect("are receiving addresses with a detail after a +, after signed addresses", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { domain, id } = yield* makeDomain(organization)
      yield* makeAddress(organization, id, `support@${domain}`)
      yield* makeAddress(organization, id, `r@${domain}`)
      assert.deepStrictEqual(yield* find(`Support+Case+7@${domain}`), {
        organizationId: organization,
        address: address(`Support+Case+7@${domain}`),
        kind: { _tag: "Address", domainId: id }
      })
      assert.strictEqual(yield* kindOf(`sales+x@${domain}`), "UnknownRecipient")
      assert.strictEqual(yield* kindOf(`+support@${domain}`), "UnknownRecipient")
      const signatures = yield* Signatures
      const messageId = yield* sent(organization)
      assert.strictEqual(yield* kindOf(replyAddress.make(signatures, { messageId, domain })), "Reply")
      const excluding = yield* makeDomain(organization)
      yield* makeCatchAll(organization, excluding.id, [`no-reply@${excluding.domain}`])
      assert.strictEqual(yield* kindOf(`no-reply+x@${excluding.domain}`), "UnknownRecipient")
    })
  )

  it.effect("are the postmasters and the abuse mailboxes of domains that receive, whom a catch-all may exclude", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const bare = yield* makeDomain(organization)
      assert.deepStrictEqual((yield* find(`Postmaster@${bare.domain}`)).kind, { _tag: "Address", domainId: bare.id })
      assert.strictEqual(yield* kindOf(`abuse@${bare.domain}`), "Address")
      assert.strictEqual(yield* kindOf(`postmasters@${bare.domain}`), "UnknownRecipient")
      const first = yield* Effect.flatMap(InboundRecipients, ({ findPostmaster }) => findPostmaster)
      assert.match(first.address, /^postmaster@/)
      const caught = yield* makeDomain(organization)
      yield* makeCatchAll(organization, caught.id)
      assert.strictEqual(yield* kindOf(`postmaster@${caught.domain}`), "CatchAll")
      const off = yield* makeDomain(organization)
      yield* makeCatchAll(organization, off.id, [`postmaster@${off.domain}`], false)
      assert.strictEqual(yield* kindOf(`postmaster@${off.domain}`), "Address")
      const excluding = yield* makeDomain(organization)
      yield* makeCatchAll(organization, excluding.id, [`postmaster@${excluding.domain}`])
      assert.strictEqual(yield* kindOf(`postmaster@${excluding.domain}`), "UnknownRecipient")
      const silent = yield* makeDomain(organization, { receiving: false })
      assert.strictEqual(yield* kindOf(`postmaster@${silent.domain}`), "RelayDenied")
      assert.deepStrictEqual(yield* find(`postmaster@bounce.${silent.domain}`), {
        organizationId: organization,
        address: address(`postmaster@${silent.domain}`),
        kind: { _tag: "Address", domainId: silent.id }
      })
    })
  )

  it.effect("are signed reply addresses of messages that are there", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const organization = yield* makeOrganization()
      const { domain, id } = yield* makeDomain(organization)
      yield* makeCatchAll(organization, id)
      const messageId = yield* sent(organization)
      const reply = replyAddress.make(signatures, { messageId, domain })
      assert.deepStrictEqual((yield* find(reply.toUpperCase())).kind, { _tag: "Reply", messageId })
      // Of nobody, of another organization, and of what is gone.
      assert.strictEqual(
        yield* kindOf(replyAddress.make(signatures, { messageId: MessageId.make(v7()), domain })),
        "UnknownRecipient"
      )
      const foreign = yield* sent(yield* makeOrganization())
      assert.strictEqual(
        yield* kindOf(replyAddress.make(signatures, { messageId: foreign, domain })),
        "UnknownRecipient"
      )
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM messages WHERE id = ${messageId}`)
      assert.strictEqual(yield* kindOf(reply), "UnknownRecipient")
      // Whatever is not signed by us is an address like any other.
      assert.strictEqual(yield* kindOf(`r+${messageId}.0123456789abcdef0123@${domain}`), "CatchAll")
    })
  )

  it.effect("are signed return paths of every domain that stands, whether it receives or not", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const organization = yield* makeOrganization()
      const messageId = yield* sent(organization)
      for (const [status, expected] of [
        ["verified", "Bounce"],
        ["degraded", "Bounce"],
        ["failed", "RelayDenied"]
      ] as const) {
        const { domain } = yield* makeDomain(organization, { status, receiving: false })
        assert.strictEqual(yield* kindOf(returnPath.make(signatures, { messageId, domain })), expected)
      }
      const { domain, id } = yield* makeDomain(organization)
      yield* makeCatchAll(organization, id)
      assert.deepStrictEqual((yield* find(returnPath.make(signatures, { messageId, domain }))).kind, {
        _tag: "Bounce",
        messageId
      })
      for (const stranger of [
        `b+${messageId}.0123456789abcdef0123@bounce.${domain}`,
        `support@bounce.${domain}`,
        returnPath.make(signatures, { messageId: MessageId.make(v7()), domain })
      ]) {
        assert.strictEqual(yield* kindOf(stranger), "UnknownRecipient")
      }
    })
  )

  it.effect("are signed unsubscribe addresses of present recipients of their messages", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const { change } = yield* MessageRepo
      const organization = yield* makeOrganization()
      const [ada, bob] = ["Ada@example.com", "bob@example.com"]
      const messageId = yield* sent(organization, [ada, bob])
      const { domain } = yield* makeDomain(organization, { receiving: false })
      const leave = (recipient: string, id = messageId) => unsubscribeAddress(signatures, id, recipient, domain)
      for (const recipient of [ada, bob]) {
        const { kind } = yield* find(leave(recipient).toUpperCase())
        assert.deepStrictEqual(kind, {
          _tag: "Unsubscribe",
          subject: { organizationId: organization, messageId, recipient }
        })
      }
      const foreign = yield* makeDomain(yield* makeOrganization())
      for (const stranger of [
        leave("eve@example.com"),
        `u+${messageId}.0123456789abcdef0123@bounce.${domain}`,
        `u+${messageId}@bounce.${domain}`,
        leave(ada).replace(domain, foreign.domain),
        leave(ada, MessageId.make(v7()))
      ]) {
        assert.strictEqual(yield* kindOf(stranger), "UnknownRecipient", stranger)
      }
      assert.strictEqual(yield* kindOf(leave(ada).replace(domain, "elsewhere.test")), "RelayDenied")
      yield* change(organization, messageId, (state) =>
        Effect.map(DateTime.now, (now) => forgetRecipient(state, (recipient) => recipient === ada, now))
      )
      assert.strictEqual(yield* kindOf(leave(ada)), "UnknownRecipient")
      assert.strictEqual(yield* kindOf(leave(bob)), "Unsubscribe")
    })
  )
})
