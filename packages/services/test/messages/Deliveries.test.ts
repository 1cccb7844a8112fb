import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { untracked } from "@switchboard/domain/email/tracking/Tracking"
import { settled } from "@switchboard/domain/messages/state/MessageLifecycle"
import { ProviderUnavailable, SendDeferred } from "@switchboard/services/messages/delivery/Provider"
import { DateTime, Effect } from "effect"
import { v7 } from "uuid"
import { message, runAttempt, Secrets, start } from "./Attempt.js"

const end = DateTime.add(start, { hours: 72 })

/** Runs one attempt with a relay that always ends as given. */
const attemptAt = (
  now: DateTime.Utc,
  relayResult: Effect.Effect<never, SendDeferred | ProviderUnavailable>,
  signingKey?: Parameters<typeof runAttempt>[3]
) =>
  Effect.provide(
    runAttempt({}, () => relayResult, now, signingKey),
    Secrets
  )

const deferred = new SendDeferred({ smtpCode: 451, response: "later" })

const retryOf = (outcome: object) => ("retryAt" in outcome ? outcome.retryAt : undefined)

it.effect("expires a message after 72 hours without contacting the relay", () =>
  Effect.gen(function* () {
    const { mails, outcome } = yield* attemptAt(end, deferred)
    assert.strictEqual(outcome._tag, "Expired")
    assert.lengthOf(mails, 0)
  })
)

it.effect("limits the next retry to the end of the 72 hours", () =>
  Effect.gen(function* () {
    for (const relayResult of [deferred, Effect.die("a bug")]) {
      const { mails, outcome } = yield* attemptAt(DateTime.subtract(end, { hours: 1 }), relayResult)
      assert.strictEqual(outcome._tag, "Deferred")
      assert.deepStrictEqual(retryOf(outcome), end)
      assert.lengthOf(mails, 1)
    }
    const down = new ProviderUnavailable({ response: "refused" })
    const { outcome } = yield* attemptAt(DateTime.subtract(end, { millis: 1 }), down)
    assert.strictEqual(outcome._tag, "Outage")
    assert.deepStrictEqual(retryOf(outcome), end)
  })
)

it.effect("keeps an earlier retry time", () =>
  Effect.gen(function* () {
    const { outcome } = yield* attemptAt(DateTime.add(start, { hours: 1 }), deferred)
    const at = retryOf(outcome)
    assert.isTrue(DateTime.isDateTime(at) && DateTime.lessThan(at, DateTime.add(start, { hours: 11 })))
  })
)

const sealed = {
  id: EmailDomainId.make(v7()),
  selector: "sm1",
  sealed: new Uint8Array(64),
  isVerified: true,
  receives: false,
  trackingDomain: null,
  ...untracked
} as const

it.effect("defers a mail whose DKIM key can't be decrypted, without contacting the relay", () =>
  Effect.gen(function* () {
    const { mails, outcome } = yield* attemptAt(start, deferred, () => Effect.succeedSome(sealed))
    assert.lengthOf(mails, 0)
    assert.deepInclude(outcome, { _tag: "Deferred", code: "signing_unavailable" })
    assert.isNotNull(retryOf(outcome))
  })
)

it.effect("counts no retry if the DKIM key can't be read during an outage", () =>
  Effect.gen(function* () {
    const outage = new ServiceUnavailableError({ message: "No database", retryAfterSeconds: 3 })
    const { mails, outcome } = yield* attemptAt(start, deferred, () => outage)
    assert.lengthOf(mails, 0)
    assert.deepInclude(outcome, { _tag: "Outage", code: "signing_unavailable", response: "No database" })
    assert.deepStrictEqual(retryOf(outcome), DateTime.add(start, { seconds: 3 }))
    const after = settled(message.state, outcome, "accept", start)
    assert.strictEqual(after.retryCount, 0)
    assert.strictEqual(after.errorDetails?.code, "signing_unavailable")
  })
)
