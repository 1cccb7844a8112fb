import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { PaymentRequiredError } from "@switchboard/domain/Errors"
import type { EmailDomainId, EmailDomainStatus } from "@switchboard/domain/email/domains/EmailDomain"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { EmailSenderId } from "@switchboard/domain/email/senders/EmailSender"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ManagedSenders } from "@switchboard/services/email/senders/ManagedSenders"
import { SenderConfirmations } from "@switchboard/services/email/senders/SenderConfirmations"
import { DateTime, Effect, TestClock } from "effect"
import { callerOf } from "../../messages/MessagesLive.js"
import { oneSucceeds } from "../../OneSucceeds.js"
import {
  canSend,
  createSender,
  defaultOf,
  emails,
  eventsOf,
  Live,
  listSenders,
  relay,
  sent,
  tokenFor,
  withdrawn
} from "./SenderFixtures.js"

/** Stores the status as a DNS check would. */
const setDomainStatus = (id: EmailDomainId, status: EmailDomainStatus, failingSince: DateTime.Utc | null) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE email_domains SET status = ${status},
      failing_since = ${failingSince === null ? null : DateTime.toDateUtc(failingSince)} WHERE id = ${id}`
  )

/** Fails the domain after the 72 hours in which a degraded domain may send. */
const failDomain = Effect.fnUntraced(function* (id: EmailDomainId) {
  yield* TestClock.adjust("1 hour")
  const since = yield* DateTime.now
  yield* TestClock.adjust("72 hours")
  yield* setDomainStatus(id, "failed", since)
})

const verificationStatusOf = (organization: OrganizationId, id: EmailSenderId) =>
  Effect.flatMap(ManagedSenders, (senders) =>
    Effect.map(senders.verification(organization, id), ({ verificationStatus }) => verificationStatus)
  )

const createAgain = (organization: OrganizationId, email: EmailAddress, given: { readonly isDefault?: boolean } = {}) =>
  Effect.flatMap(ManagedSenders, (senders) =>
    senders.create(callerOf(organization), { email, name: "Ada Lovelace", ...given })
  )

/** Confirms by the link of the latest mail. */
const confirmLatest = Effect.fnUntraced(function* (organization: OrganizationId, email: EmailAddress) {
  const { confirm } = yield* SenderConfirmations
  yield* confirm((yield* tokenFor(organization, email)).token)
})

layer(Live)("A sender of a failed domain", (it) => {
  it.effect("can't send and is not the default until the domain is verified again", () =>
    Effect.gen(function* () {
      const { domain, email, organization, sender } = yield* createSender("verified", { isDefault: true })
      const since = yield* DateTime.now
      yield* setDomainStatus(domain.id, "degraded", since)
      yield* TestClock.adjust("71 hours")
      assert.isTrue(yield* canSend(organization, email))
      assert.strictEqual(yield* defaultOf(organization), email)
      // Also before the next DNS check.
      yield* TestClock.adjust("1 hour")
      assert.isFalse(yield* canSend(organization, email))
      yield* setDomainStatus(domain.id, "failed", since)
      assert.isFalse(yield* canSend(organization, email))
      assert.isUndefined(yield* defaultOf(organization))
      assert.strictEqual(yield* verificationStatusOf(organization, sender.id), "failed")
      assert.deepStrictEqual(yield* emails(organization, { verificationStatus: "failed" }), [email])
      assert.notInclude(yield* emails(organization, { verificationStatus: "verified" }), email)
      yield* setDomainStatus(domain.id, "verified", null)
      assert.strictEqual(yield* defaultOf(organization), email)
      assert.strictEqual(yield* verificationStatusOf(organization, sender.id), "verified")
    })
  )

  it.effect("can't send after an earlier confirmation, and can after a new one", () =>
    Effect.gen(function* () {
      const { domain, email, organization, sender } = yield* createSender("pending")
      yield* confirmLatest(organization, email)
      assert.isTrue(yield* canSend(organization, email))
      yield* failDomain(domain.id)
      assert.isFalse(yield* canSend(organization, email))
      assert.strictEqual((yield* createAgain(organization, email)).id, sender.id)
      assert.isFalse(yield* canSend(organization, email))
      yield* confirmLatest(organization, email)
      assert.isTrue(yield* canSend(organization, email))
      assert.strictEqual(yield* verificationStatusOf(organization, sender.id), "verified")
      assert.deepStrictEqual(yield* emails(organization, { verificationStatus: "failed" }), [])
    })
  )
})

layer(Live)("A sender with an expired confirmation", (it) => {
  it.effect("can be created again with a new link and new properties", () =>
    Effect.gen(function* () {
      const { email, organization, sender } = yield* createSender("pending")
      const { confirm } = yield* SenderConfirmations
      const first = yield* tokenFor(organization, email)
      yield* TestClock.adjust("47 hours")
      const early = yield* Effect.flip(createAgain(organization, email))
      assert.include(early, { _tag: "ConflictError", resource: "sender" })
      assert.include(early.message, "its link is valid until 2099-11-22T09:30:00.000Z")
      yield* TestClock.adjust("1 hour")
      const recreated = yield* createAgain(organization, email, { isDefault: true })
      assert.deepInclude(recreated, {
        id: sender.id,
        createdAt: sender.createdAt,
        email,
        name: "Ada Lovelace",
        verificationStatus: "pending",
        isDefault: false
      })
      assert.notStrictEqual(recreated.verificationToken, sender.verificationToken)
      assert.deepStrictEqual(yield* listSenders(organization, { search: email }, undefined, true), [recreated])
      assert.strictEqual((yield* Effect.flip(createAgain(organization, email)))._tag, "ConflictError")
      assert.strictEqual((yield* Effect.flip(confirm(first.token)))._tag, "ConfirmationUnknown")
      yield* TestClock.adjust("47 hours")
      yield* confirmLatest(organization, email)
      assert.strictEqual(yield* defaultOf(organization), email)
      assert.include(yield* Effect.flip(createAgain(organization, email)), { _tag: "ConflictError" })
      assert.deepStrictEqual(yield* eventsOf(organization), ["email_sender.created", "email_sender.verified"])
    })
  )

  it.effect("is created again once with concurrent requests", () =>
    Effect.gen(function* () {
      const { email, organization } = yield* createSender("pending")
      yield* TestClock.adjust("48 hours")
      const notWithdrawn = () => sent.length - withdrawn.length
      const before = notWithdrawn()
      yield* oneSucceeds(createAgain(organization, email), "sender")
      assert.strictEqual(notWithdrawn(), before + 1)
    })
  )

  it.effect("stays unchanged if the confirmation mail can't be sent", () =>
    Effect.gen(function* () {
      const { email, organization } = yield* createSender("pending")
      yield* TestClock.adjust("48 hours")
      const before = yield* listSenders(organization, { search: email })
      relay.fails = new PaymentRequiredError({ resource: "messages", currentUsage: 1, limit: 1 })
      const error = yield* Effect.ensuring(
        Effect.flip(createAgain(organization, email)),
        Effect.sync(() => (relay.fails = null))
      )
      assert.strictEqual(error._tag, "PaymentRequiredError")
      assert.deepStrictEqual(yield* listSenders(organization, { search: email }), before)
      assert.strictEqual((yield* createAgain(organization, email)).verificationStatus, "pending")
    })
  )
})
