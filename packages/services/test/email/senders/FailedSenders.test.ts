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
import {
  added,
  caller,
  defaultOf,
  emails,
  eventsOf,
  Live,
  listed,
  relay,
  sends,
  sent,
  tokenFor,
  withdrawn
} from "./SenderFixtures.js"

/** How a look-up leaves a domain. */
const becomes = (id: EmailDomainId, status: EmailDomainStatus, failingSince: DateTime.Utc | null) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE email_domains SET status = ${status},
      failing_since = ${failingSince === null ? null : DateTime.toDateUtc(failingSince)} WHERE id = ${id}`
  )

/** Its domain is verified no more, for longer than is granted. */
const fails = Effect.fnUntraced(function* (id: EmailDomainId) {
  yield* TestClock.adjust("1 hour")
  const since = yield* DateTime.now
  yield* TestClock.adjust("72 hours")
  yield* becomes(id, "failed", since)
})

const standing = (organization: OrganizationId, id: EmailSenderId) =>
  Effect.flatMap(ManagedSenders, (senders) =>
    Effect.map(senders.verification(organization, id), ({ verificationStatus }) => verificationStatus)
  )

const again = (organization: OrganizationId, email: EmailAddress, given: { readonly isDefault?: boolean } = {}) =>
  Effect.flatMap(ManagedSenders, (senders) =>
    senders.create(caller(organization), { email, name: "Ada Lovelace", ...given })
  )

/** Confirms by the latest mail. */
const confirmed = Effect.fnUntraced(function* (organization: OrganizationId, email: EmailAddress) {
  const { confirm } = yield* SenderConfirmations
  yield* confirm((yield* tokenFor(organization, email)).token)
})

layer(Live, { timeout: "300 seconds" })("A sender whose domain has failed", (it) => {
  it.effect("sends no more, nor as the default, until the domain stands again", () =>
    Effect.gen(function* () {
      const { domain, email, organization, sender } = yield* added("verified", { isDefault: true })
      const since = yield* DateTime.now
      yield* becomes(domain.id, "degraded", since)
      yield* TestClock.adjust("71 hours")
      assert.isTrue(yield* sends(organization, email))
      assert.strictEqual(yield* defaultOf(organization), email)
      // Also before anybody has looked at it again.
      yield* TestClock.adjust("1 hour")
      assert.isFalse(yield* sends(organization, email))
      yield* becomes(domain.id, "failed", since)
      assert.isFalse(yield* sends(organization, email))
      assert.isUndefined(yield* defaultOf(organization))
      assert.strictEqual(yield* standing(organization, sender.id), "failed")
      assert.deepStrictEqual(yield* emails(organization, { verificationStatus: "failed" }), [email])
      assert.notInclude(yield* emails(organization, { verificationStatus: "verified" }), email)
      yield* becomes(domain.id, "verified", null)
      assert.strictEqual(yield* defaultOf(organization), email)
      assert.strictEqual(yield* standing(organization, sender.id), "verified")
    })
  )

  it.effect(
    "sends no more either if it had confirmed when the domain was another's to lose, and may confirm anew",
    () =>
      Effect.gen(function* () {
        const { domain, email, organization, sender } = yield* added("pending")
        yield* confirmed(organization, email)
        assert.isTrue(yield* sends(organization, email))
        yield* fails(domain.id)
        assert.isFalse(yield* sends(organization, email))
        assert.strictEqual((yield* again(organization, email)).id, sender.id)
        assert.isFalse(yield* sends(organization, email))
        yield* confirmed(organization, email)
        assert.isTrue(yield* sends(organization, email))
        assert.strictEqual(yield* standing(organization, sender.id), "verified")
        assert.deepStrictEqual(yield* emails(organization, { verificationStatus: "failed" }), [])
      })
  )
})

layer(Live, { timeout: "300 seconds" })("A sender who has not confirmed in time", (it) => {
  it.effect("is asked again by a new link, as what it is added as now", () =>
    Effect.gen(function* () {
      const { email, organization, sender } = yield* added("pending")
      const { confirm } = yield* SenderConfirmations
      const first = yield* tokenFor(organization, email)
      yield* TestClock.adjust("47 hours")
      const early = yield* Effect.flip(again(organization, email))
      assert.include(early, { _tag: "ConflictError", resource: "sender" })
      assert.include(early.message, "its link holds until 2099-11-22T09:30:00.000Z")
      yield* TestClock.adjust("1 hour")
      const asked = yield* again(organization, email, { isDefault: true })
      assert.deepInclude(asked, {
        id: sender.id,
        createdAt: sender.createdAt,
        email,
        name: "Ada Lovelace",
        verificationStatus: "pending",
        isDefault: false
      })
      assert.notStrictEqual(asked.verificationToken, sender.verificationToken)
      assert.deepStrictEqual(yield* listed(organization, { search: email }, undefined, true), [asked])
      assert.strictEqual((yield* Effect.flip(again(organization, email)))._tag, "ConflictError")
      assert.strictEqual((yield* Effect.flip(confirm(first.token)))._tag, "ConfirmationUnknown")
      yield* TestClock.adjust("47 hours")
      yield* confirmed(organization, email)
      assert.strictEqual(yield* defaultOf(organization), email)
      assert.include(yield* Effect.flip(again(organization, email)), { _tag: "ConflictError" })
      assert.deepStrictEqual(yield* eventsOf(organization), ["email_sender.created", "email_sender.verified"])
    })
  )

  it.effect("is asked once by many at a time", () =>
    Effect.gen(function* () {
      const { email, organization } = yield* added("pending")
      yield* TestClock.adjust("48 hours")
      const notWithdrawn = () => sent.length - withdrawn.length
      const before = notWithdrawn()
      const answers = yield* Effect.all(
        [1, 2, 3, 4].map(() => Effect.either(again(organization, email))),
        { concurrency: 4 }
      )
      assert.lengthOf(
        answers.filter(({ _tag }) => _tag === "Right"),
        1
      )
      assert.strictEqual(notWithdrawn(), before + 1)
    })
  )

  it.effect("stays as it was when it can't be asked", () =>
    Effect.gen(function* () {
      const { email, organization } = yield* added("pending")
      yield* TestClock.adjust("48 hours")
      const before = yield* listed(organization, { search: email })
      relay.fails = new PaymentRequiredError({ resource: "messages", currentUsage: 1, limit: 1 })
      const error = yield* Effect.ensuring(
        Effect.flip(again(organization, email)),
        Effect.sync(() => (relay.fails = null))
      )
      assert.strictEqual(error._tag, "PaymentRequiredError")
      assert.deepStrictEqual(yield* listed(organization, { search: email }), before)
      assert.strictEqual((yield* again(organization, email)).verificationStatus, "pending")
    })
  )
})
