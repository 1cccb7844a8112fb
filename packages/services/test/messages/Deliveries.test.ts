import { assert, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { MessageId } from "@switchboard/domain/messages/Message"
import { accepted, settled, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { Deliveries } from "@switchboard/services/messages/delivery/Deliveries"
import { DeliveryConfirmation } from "@switchboard/services/messages/delivery/DeliveryConfirmation"
import type { TakenMessage } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { MailDeferred, MailTransport, RelayUnavailable } from "@switchboard/services/messages/delivery/MailTransport"
import { OutgoingMails } from "@switchboard/services/messages/delivery/OutgoingMails"
import { RelayBreaker } from "@switchboard/services/messages/delivery/RelayBreaker"
import { SendSettings } from "@switchboard/services/messages/SendSettings"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { SecretBox } from "@switchboard/services/SecretBox"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { BigDecimal, DateTime, Duration, Effect, Layer, Redacted, Ref, Schema, TestClock } from "effect"
import { v7 } from "uuid"
import { NothingPaused } from "../queues/NothingPaused.js"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const end = DateTime.add(start, { hours: 72 })
const ada = Schema.decodeSync(EmailAddress)("ada@example.com")

/** A message that is due since `start`, as the worker leases it. */
const message: TakenMessage = {
  organizationId: OrganizationId.make(v7()),
  messageId: MessageId.make(v7()),
  queueId: v7(),
  leaseExpiries: 0,
  isRepeat: false,
  takenAt: start,
  state: taken(accepted([ada], 8, false, start), false, start),
  content: { subject: "Hello", html: "", text: "Hello", from: "Us <us@localhost.test>", replyTo: [], attachments: [] },
  addressing: { messageId: "<1@localhost.test>", to: [ada], cc: [], bcc: [], headers: {}, tags: [] },
  attachments: [],
  categories: [],
  trackOpens: false,
  dueSince: start,
  createdAt: start,
  traceParent: null
}

/** Runs one attempt with a relay that always ends as given; returns the outcome and the number of sends. */
const attemptAt = (
  now: DateTime.Utc,
  relayResult: Effect.Effect<never, MailDeferred | RelayUnavailable>,
  signingKey: (typeof DomainRepo.Service)["signingKey"] = () => Effect.succeedNone
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now.epochMillis)
    const sendCount = yield* Ref.make(0)
    const outcome = yield* Effect.flatMap(Deliveries, (deliveries) => deliveries.attempt(message, () => true)).pipe(
      Effect.provide(
        Deliveries.Default.pipe(
          Layer.provide(Layer.merge(OutgoingMails.Default, RelayBreaker.Default)),
          Layer.provide(SigningKeys.Default),
          Layer.provide([
            Signatures.Live,
            SecretBox.Live,
            NothingPaused,
            Layer.mock(DomainRepo, { signingKey }),
            Layer.succeed(PublicUrl, "https://mail.example.com")
          ]),
          Layer.provide([
            Layer.succeed(MailTransport, {
              relay: "relay.test:25",
              send: () =>
                Effect.zipRight(
                  Ref.update(sendCount, (count) => count + 1),
                  relayResult
                ),
              probe: Effect.succeed({ extensions: [] })
            }),
            Layer.succeed(DeliveryConfirmation, "accept"),
            Layer.succeed(SendSettings, {
              dedupeWindow: Duration.zero,
              emailUnitCost: BigDecimal.unsafeFromString("0"),
              retrySchedule: [Duration.hours(8)]
            }),
            Layer.succeed(MasterKey, Redacted.make<Uint8Array>(new Uint8Array(32)))
          ])
        )
      )
    )
    return { outcome, sendCount: yield* Ref.get(sendCount) }
  })

const deferred = new MailDeferred({ smtpCode: 451, response: "later" })

const retryOf = (outcome: object) => ("retryAt" in outcome ? outcome.retryAt : undefined)

it.effect("expires a message after 72 hours without contacting the relay", () =>
  Effect.gen(function* () {
    const { sendCount, outcome } = yield* attemptAt(end, deferred)
    assert.strictEqual(outcome._tag, "Expired")
    assert.strictEqual(sendCount, 0)
  })
)

it.effect("limits the next retry to the end of the 72 hours", () =>
  Effect.gen(function* () {
    for (const relayResult of [deferred, Effect.die("a bug")]) {
      const { sendCount, outcome } = yield* attemptAt(DateTime.subtract(end, { hours: 1 }), relayResult)
      assert.strictEqual(outcome._tag, "Deferred")
      assert.deepStrictEqual(retryOf(outcome), end)
      assert.strictEqual(sendCount, 1)
    }
    const down = new RelayUnavailable({ response: "refused" })
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
  receives: false
} as const

it.effect("defers a mail whose DKIM key can't be decrypted, without contacting the relay", () =>
  Effect.gen(function* () {
    const { sendCount, outcome } = yield* attemptAt(start, deferred, () => Effect.succeedSome(sealed))
    assert.strictEqual(sendCount, 0)
    assert.deepInclude(outcome, { _tag: "Deferred", code: "signing_unavailable" })
    assert.isNotNull(retryOf(outcome))
  })
)

it.effect("counts no retry if the DKIM key can't be read during an outage", () =>
  Effect.gen(function* () {
    const outage = new ServiceUnavailableError({ message: "No database", retryAfterSeconds: 3 })
    const { sendCount, outcome } = yield* attemptAt(start, deferred, () => outage)
    assert.strictEqual(sendCount, 0)
    assert.deepInclude(outcome, { _tag: "Outage", code: "signing_unavailable", response: "No database" })
    assert.deepStrictEqual(retryOf(outcome), DateTime.add(start, { seconds: 3 }))
    const after = settled(message.state, outcome, "accept", start)
    assert.strictEqual(after.retryCount, 0)
    assert.strictEqual(after.errorDetails?.code, "signing_unavailable")
  })
)
