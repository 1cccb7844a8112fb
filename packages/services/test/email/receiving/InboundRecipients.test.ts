import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { eraseRecipient } from "@switchboard/domain/messages/EraseRecipient"
import { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { InboundRecipients, RefusedRecipients } from "@switchboard/services/email/receiving/addresses/InboundRecipients"
import { unsubscribeAddress } from "@switchboard/services/email/send/Unsubscribes"
import { replyAddress, returnPath } from "@switchboard/services/messages/delivery/SignedReferences"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import {
  address,
  makeAddress,
  makeCatchAll,
  makeDomain,
  options
} from "@switchboard/store/testing/email/receiving/Fixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { v7 } from "uuid"

/** The domains whose catch-all refused a recipient. */
const refusedDomains: Array<string> = []
const RefusedRecipientsStub = Layer.succeed(
  RefusedRecipients,
  new RefusedRecipients({ note: (_, domainId) => void refusedDomains.push(domainId) })
)

const RecipientsLive = InboundRecipients.Default.pipe(
  Layer.provide(RefusedRecipientsStub),
  Layer.provideMerge(StoreLive),
  Layer.provideMerge(Signatures.Live),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7))))
)

const find = (text: string) => Effect.flatMap(InboundRecipients, (recipients) => recipients.find(address(text)))

/** The kind of a recipient, or the tag of the error that refuses it. */
const kindOf = (text: string) =>
  find(text).pipe(
    Effect.map(({ kind }) => kind._tag),
    Effect.catchAll((error) => Effect.succeed(error._tag))
  )

const sendMessage = (organizationId: OrganizationId, to?: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const message = yield* newMessage(organizationId, to === undefined ? {} : { to })
    yield* Effect.flatMap(MessageRepo, ({ accept }) => accept(message))
    return message.facts.id
  })

layer(RecipientsLive, options)("InboundRecipients on PostgreSQL", (it) => {
  it.effect("accepts receiving addresses, ignoring case", () =>
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

  it.effect("accepts addresses only of verified and degraded domains with receiving enabled", () =>
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

  it.effect("accepts the address for reports of a controlled domain, whether it receives or not", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const { domain, id } = yield* makeDomain(organization, { receiving: false })
      const text = `Reports@bounce.${domain}`
      assert.deepStrictEqual(yield* find(text), {
        organizationId: organization,
        address: address(text),
        kind: { _tag: "Address", domainId: id, isForReports: true }
      })
      assert.strictEqual(yield* kindOf(`reports@${domain}`), "RelayDenied")
      assert.strictEqual(yield* kindOf(`reports2@bounce.${domain}`), "UnknownRecipient")
      const pending = yield* makeDomain(organization, { status: "pending" })
      assert.strictEqual(yield* kindOf(`reports@bounce.${pending.domain}`), "RelayDenied")
    })
  )

  it.effect("accepts addresses of an enabled catch-all that it does not exclude, after receiving addresses", () =>
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
      // A refusal is counted only for a domain with an enabled catch-all.
      assert.deepStrictEqual(refusedDomains, [one.id])
    })
  )

  it.effect("accepts a receiving address with a +detail, after signed addresses", () =>
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
      const messageId = yield* sendMessage(organization)
      assert.strictEqual(yield* kindOf(replyAddress.make(signatures, { messageId, domain })), "Reply")
      const excluding = yield* makeDomain(organization)
      yield* makeCatchAll(organization, excluding.id, [`no-reply@${excluding.domain}`])
      assert.strictEqual(yield* kindOf(`no-reply+x@${excluding.domain}`), "UnknownRecipient")
    })
  )

  it.effect("accepts postmaster and abuse of receiving domains unless a catch-all excludes them", () =>
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
      const notReceiving = yield* makeDomain(organization, { receiving: false })
      assert.strictEqual(yield* kindOf(`postmaster@${notReceiving.domain}`), "RelayDenied")
      assert.deepStrictEqual(yield* find(`postmaster@bounce.${notReceiving.domain}`), {
        organizationId: organization,
        address: address(`postmaster@${notReceiving.domain}`),
        kind: { _tag: "Address", domainId: notReceiving.id }
      })
    })
  )

  it.effect("accepts signed reply addresses of existing messages", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const organization = yield* makeOrganization()
      const { domain, id } = yield* makeDomain(organization)
      yield* makeCatchAll(organization, id)
      const messageId = yield* sendMessage(organization)
      const reply = replyAddress.make(signatures, { messageId, domain })
      assert.deepStrictEqual((yield* find(reply.toUpperCase())).kind, { _tag: "Reply", messageId })
      // Refused: an unknown message, a message of another organization, a deleted message.
      assert.strictEqual(
        yield* kindOf(replyAddress.make(signatures, { messageId: MessageId.make(v7()), domain })),
        "UnknownRecipient"
      )
      const foreign = yield* sendMessage(yield* makeOrganization())
      assert.strictEqual(
        yield* kindOf(replyAddress.make(signatures, { messageId: foreign, domain })),
        "UnknownRecipient"
      )
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM messages WHERE id = ${messageId}`)
      assert.strictEqual(yield* kindOf(reply), "UnknownRecipient")
      // An address with an invalid signature is treated as an ordinary address.
      assert.strictEqual(yield* kindOf(`r+${messageId}.0123456789abcdef0123@${domain}`), "CatchAll")
    })
  )

  it.effect("accepts signed return paths of verified and degraded domains, also without receiving", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const organization = yield* makeOrganization()
      const messageId = yield* sendMessage(organization)
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
      for (const invalid of [
        `b+${messageId}.0123456789abcdef0123@bounce.${domain}`,
        `support@bounce.${domain}`,
        returnPath.make(signatures, { messageId: MessageId.make(v7()), domain })
      ]) {
        assert.strictEqual(yield* kindOf(invalid), "UnknownRecipient")
      }
    })
  )

  it.effect("accepts signed unsubscribe addresses of current recipients of a message", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const { change } = yield* MessageRepo
      const organization = yield* makeOrganization()
      const [ada, bob] = ["Ada@example.com", "bob@example.com"]
      const messageId = yield* sendMessage(organization, [ada, bob])
      const { domain } = yield* makeDomain(organization, { receiving: false })
      const unsubscribeFor = (recipient: string, id = messageId) =>
        unsubscribeAddress(signatures, id, recipient, domain)
      for (const recipient of [ada, bob]) {
        const { kind } = yield* find(unsubscribeFor(recipient).toUpperCase())
        assert.deepStrictEqual(kind, {
          _tag: "Unsubscribe",
          subject: { organizationId: organization, messageId, recipient }
        })
      }
      const foreign = yield* makeDomain(yield* makeOrganization())
      for (const invalid of [
        unsubscribeFor("eve@example.com"),
        `u+${messageId}.0123456789abcdef0123@bounce.${domain}`,
        `u+${messageId}@bounce.${domain}`,
        unsubscribeFor(ada).replace(domain, foreign.domain),
        unsubscribeFor(ada, MessageId.make(v7()))
      ]) {
        assert.strictEqual(yield* kindOf(invalid), "UnknownRecipient", invalid)
      }
      assert.strictEqual(yield* kindOf(unsubscribeFor(ada).replace(domain, "elsewhere.test")), "RelayDenied")
      yield* change(organization, messageId, (state) =>
        Effect.map(DateTime.now, (now) => eraseRecipient(state, (recipient) => recipient === ada, now))
      )
      assert.strictEqual(yield* kindOf(unsubscribeFor(ada)), "UnknownRecipient")
      assert.strictEqual(yield* kindOf(unsubscribeFor(bob)), "Unsubscribe")
    })
  )
})
