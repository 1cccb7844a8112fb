import { assert, layer } from "@effect/vitest"
import { PaymentRequiredError, ValidationError } from "@switchboard/domain/Errors"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { ManagedSenders } from "@switchboard/services/email/senders/ManagedSenders"
import { SenderConfirmations } from "@switchboard/services/email/senders/SenderConfirmations"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { DateTime, Effect, TestClock } from "effect"
import { v7 } from "uuid"
import { callerOf } from "../../messages/MessagesLive.js"
import { oneSucceeds } from "../../OneSucceeds.js"
import {
  address,
  canSend,
  createSender,
  defaultOf,
  emails,
  eventsOf,
  insertDomain,
  Live,
  listSenders,
  relay,
  sent,
  setStartTime,
  start,
  tokenFor,
  withdrawn
} from "./SenderFixtures.js"

layer(Live)("ManagedSenders and SenderConfirmations on PostgreSQL", (it) => {
  it.effect("verifies a sender on a verified domain at once", () =>
    Effect.gen(function* () {
      const { domain, email, organization, sender } = yield* createSender("verified")
      assert.deepInclude(sender, { email, name: "Ada", domainId: domain.id, verificationStatus: "verified" })
      assert.strictEqual(sender.verifiedAt?.epochMillis, start.epochMillis)
      assert.deepInclude(sender, { isDefault: false, isActive: true, reputation: 100 })
      assert.isUndefined(sender.verificationToken)
      assert.isTrue(yield* canSend(organization, email))
      assert.isFalse(sent.some(({ to: [first] }) => first?.email === email))
      assert.deepStrictEqual(yield* eventsOf(organization), ["email_sender.created", "email_sender.verified"])
    })
  )

  it.effect("sends a confirmation mail for a sender on an unverified domain, whose link verifies it once", () =>
    Effect.gen(function* () {
      const { email, organization, sender } = yield* createSender("pending")
      const confirmations = yield* SenderConfirmations
      const senders = yield* ManagedSenders
      assert.strictEqual(sender.verificationStatus, "pending")
      assert.isFalse(yield* canSend(organization, email))
      const { stored, token } = yield* tokenFor(organization, email)
      // Neither the stored token nor the token that the API shows confirms a sender.
      for (const wrong of [
        stored,
        sender.verificationToken ?? "",
        token.replace(/\w$/, (last) => (last === "0" ? "1" : "0")),
        token.replace(organization, v7()),
        "",
        "..",
        `${token}.`
      ]) {
        assert.strictEqual((yield* Effect.flip(confirmations.confirm(wrong)))._tag, "ConfirmationUnknown", wrong)
      }
      assert.strictEqual((yield* confirmations.look(token)).email, email)
      assert.strictEqual((yield* confirmations.look(token)).email, email)
      assert.strictEqual((yield* senders.verification(organization, sender.id)).verificationStatus, "pending")
      yield* TestClock.adjust("47 hours")
      const tries = yield* Effect.all(
        [1, 2, 3].map(() => Effect.either(confirmations.confirm(token))),
        { concurrency: 3 }
      )
      assert.lengthOf(
        tries.filter(({ _tag }) => _tag === "Right"),
        1
      )
      assert.include(yield* Effect.flip(confirmations.confirm(token)), { _tag: "ConfirmationOver", why: "used" })
      assert.include(yield* Effect.flip(confirmations.look(token)), { _tag: "ConfirmationOver", why: "used" })
      const after = yield* senders.verification(organization, sender.id)
      assert.strictEqual(after.verificationStatus, "verified")
      assert.strictEqual(after.verifiedAt?.epochMillis, start.epochMillis + 47 * 3_600_000)
      assert.isTrue(yield* canSend(organization, email))
      assert.deepStrictEqual(yield* eventsOf(organization), ["email_sender.created", "email_sender.verified"])
      assert.isUndefined((yield* listSenders(organization, {}, undefined, true))[0]?.verificationToken)
    })
  )

  it.effect("fails a sender that is not confirmed within 48 hours", () =>
    Effect.gen(function* () {
      const { email, organization, sender } = yield* createSender("pending")
      const { token } = yield* tokenFor(organization, email)
      assert.deepStrictEqual(yield* emails(organization, { verificationStatus: "pending" }), [email])
      yield* TestClock.adjust("48 hours")
      const confirmations = yield* SenderConfirmations
      assert.include(yield* Effect.flip(confirmations.confirm(token)), { _tag: "ConfirmationOver", why: "expired" })
      const senders = yield* ManagedSenders
      assert.strictEqual((yield* senders.verification(organization, sender.id)).verificationStatus, "failed")
      assert.deepStrictEqual(yield* emails(organization, { verificationStatus: "pending" }), [])
      assert.deepStrictEqual(yield* emails(organization, { verificationStatus: "failed" }), [email])
      assert.isFalse(yield* canSend(organization, email))
    })
  )

  it.effect("keeps one default sender per organization: the latest one that is verified", () =>
    Effect.gen(function* () {
      const { email: first, organization, sender } = yield* createSender("verified", { isDefault: true })
      assert.isTrue(sender.isDefault)
      assert.strictEqual(yield* defaultOf(organization), first)
      const { email: second, sender: pending } = yield* createSender("pending", { organization, isDefault: true })
      assert.isFalse(pending.isDefault)
      assert.strictEqual(yield* defaultOf(organization), first)
      const { token } = yield* tokenFor(organization, second)
      yield* Effect.flatMap(SenderConfirmations, ({ confirm }) => confirm(token))
      assert.strictEqual(yield* defaultOf(organization), second)
      // Also with concurrent requests.
      const domain = yield* insertDomain(organization, "verified")
      const senders = yield* ManagedSenders
      yield* Effect.forEach(
        ["a", "b", "c", "d"],
        (name) =>
          senders.create(callerOf(organization), { email: address(`${name}@${domain.domain}`), name, isDefault: true }),
        { concurrency: 4 }
      )
      const defaults = (yield* listSenders(organization)).filter(({ isDefault }) => isDefault)
      assert.lengthOf(defaults, 1)
      // Removing the default sender leaves none.
      yield* Effect.forEach(defaults, ({ id }) => senders.remove(organization, id))
      assert.isUndefined(yield* defaultOf(organization))
    })
  )

  it.effect("rejects a sender on a foreign domain and a duplicate address", () =>
    Effect.gen(function* () {
      const { domain, email, organization } = yield* createSender("pending")
      const senders = yield* ManagedSenders
      const other = yield* makeOrganization()
      for (const [own, at] of [
        [other, domain.domain],
        [organization, `mail.${domain.domain}`]
      ] as const) {
        const error = yield* Effect.flip(senders.create(callerOf(own), { email: address(`bob@${at}`), name: "Bob" }))
        assert.strictEqual(error._tag, "ValidationError")
        assert.deepStrictEqual(error._tag === "ValidationError" ? Object.keys(error.fields ?? {}) : [], ["email"])
      }
      const again = senders.create(callerOf(organization), { email: address(email.toLowerCase()), name: "Ada" })
      assert.include(yield* Effect.flip(again), { _tag: "ConflictError", resource: "sender" })
      assert.deepStrictEqual(yield* eventsOf(organization), ["email_sender.created"])
    })
  )

  it.effect("adds no sender if its confirmation mail can't be sent", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const organization = yield* makeOrganization()
      const { domain } = yield* insertDomain(organization, "pending")
      const senders = yield* ManagedSenders
      const create = senders.create(callerOf(organization), { email: address(`ada@${domain}`), name: "Ada" })
      for (const [fails, tag] of [
        [new PaymentRequiredError({ resource: "messages", currentUsage: 1, limit: 1 }), "PaymentRequiredError"],
        [new ValidationError({ message: "", fields: {} }), "ConflictError"]
      ] as const) {
        relay.fails = fails
        const error = yield* Effect.ensuring(
          Effect.flip(create),
          Effect.sync(() => (relay.fails = null))
        )
        assert.strictEqual(error._tag, tag)
      }
      assert.deepStrictEqual(yield* emails(organization, { search: domain }), [])
      // No event was recorded.
      assert.deepStrictEqual(yield* eventsOf(organization), [])
      assert.strictEqual((yield* create).verificationStatus, "pending")
      assert.deepStrictEqual(yield* eventsOf(organization), ["email_sender.created"])
    })
  )

  it.effect("creates a sender once with concurrent requests and withdraws the other confirmation mails", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const organization = yield* makeOrganization()
      const { domain } = yield* insertDomain(organization, "pending")
      const senders = yield* ManagedSenders
      const before = withdrawn.length
      const email = address(`ada@${domain}`)
      yield* oneSucceeds(senders.create(callerOf(organization), { email, name: "Ada" }), "sender", 3)
      assert.deepStrictEqual(yield* eventsOf(organization), ["email_sender.created"])
      const mails = sent.filter(({ to: [first] }) => first?.email === email).length
      assert.strictEqual(withdrawn.length - before, mails - 1)
    })
  )

  it.effect("prevents removing a domain with senders and rejects access by another organization", () =>
    Effect.gen(function* () {
      const { domain, organization, sender } = yield* createSender("verified")
      const domains = yield* DomainRepo
      const senders = yield* ManagedSenders
      const other = yield* makeOrganization()
      const removal = domains.remove(organization, domain.id, () => Effect.succeed([]))
      assert.include(yield* Effect.flip(removal), { _tag: "ConflictError", resource: "domain" })
      for (const attempt of [
        Effect.flip(senders.remove(other, sender.id)),
        Effect.flip(senders.verification(other, sender.id))
      ]) {
        assert.include(yield* attempt, { _tag: "ResourceNotFoundError", resource: "sender", id: sender.id })
      }
      yield* senders.remove(organization, sender.id)
      assert.strictEqual((yield* Effect.flip(senders.remove(organization, sender.id)))._tag, "ResourceNotFoundError")
      assert.deepStrictEqual(yield* eventsOf(organization), [
        "email_sender.created",
        "email_sender.verified",
        "email_sender.deleted"
      ])
      assert.isTrue(yield* removal)
    })
  )

  it.effect("lists senders newest first, filtered, with tokens only on request", () =>
    Effect.gen(function* () {
      const { domain, email: first, organization, sender } = yield* createSender("pending", { name: "First one" })
      const { email: second } = yield* createSender("verified", { organization, name: "Second" })
      assert.deepStrictEqual(yield* emails(organization), [second, first, "hello@localhost.test"])
      assert.deepStrictEqual(yield* emails(organization, {}, { page: 2, limit: 1 }), [first])
      assert.deepStrictEqual(yield* emails(organization, { domainId: domain.id }), [first])
      assert.deepStrictEqual(yield* emails(organization, { search: "ST ONE" }), [first])
      assert.deepStrictEqual(yield* emails(organization, { search: "%" }), [])
      assert.deepStrictEqual(yield* emails(organization, { isActive: false }), [])
      assert.deepStrictEqual(yield* emails(organization, { verificationStatus: "verified" }), [
        second,
        "hello@localhost.test"
      ])
      assert.deepStrictEqual(yield* emails(yield* makeOrganization()), ["hello@localhost.test"])
      const tokens = (withToken: boolean) =>
        Effect.map(listSenders(organization, {}, undefined, withToken), (items) =>
          items.map(({ verificationToken }) => verificationToken)
        )
      assert.deepStrictEqual(yield* tokens(false), [undefined, undefined, undefined])
      assert.deepStrictEqual(yield* tokens(true), [undefined, sender.verificationToken, undefined])
    })
  )

  it.effect("computes the reputation from the sender's messages of the last 30 days", () =>
    Effect.gen(function* () {
      const { email, organization } = yield* createSender("verified")
      const repo = yield* MessageRepo
      const { project } = yield* RollupRepo
      const sendWithStatus = (from: EmailAddress, status: MessageStatus, to: string) =>
        Effect.gen(function* () {
          const message = yield* newMessage(organization, { to: [to] })
          yield* repo.accept({ ...message, sender: { name: "", address: from } })
          const timestamp = DateTime.formatIso(yield* DateTime.now)
          yield* repo.change(organization, message.facts.id, (state) =>
            Effect.succeed({ ...state, status, statusHistory: [...state.statusHistory, { status, timestamp }] })
          )
        })
      const reputationOf = Effect.map(
        Effect.zipRight(project, listSenders(organization, { search: email })),
        (items) => items.map((one) => one.reputation)[0]
      )
      yield* sendWithStatus(email, "bounced", "bob@example.com")
      assert.strictEqual(yield* reputationOf, 0)
      yield* TestClock.adjust("31 days")
      assert.strictEqual(yield* reputationOf, 100)
      yield* Effect.forEach(Array.from({ length: 49 }), () =>
        sendWithStatus(address(email.toLowerCase()), "delivered", "bob@example.com")
      )
      // Not counted: messages of other senders, messages to this address, messages still queued.
      yield* sendWithStatus(address("us@localhost.test"), "bounced", email)
      yield* sendWithStatus(email, "queued", "bob@example.com")
      assert.strictEqual(yield* reputationOf, 100)
      yield* sendWithStatus(email, "bounced", "bob@example.com")
      assert.strictEqual(yield* reputationOf, 80)
      yield* sendWithStatus(email, "complained", "bob@example.com")
      assert.strictEqual(yield* reputationOf, 0)
    })
  )
})
