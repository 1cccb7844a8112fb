import { assert, it } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { DeliveryStatus } from "@switchboard/domain/messages/delivery/Delivery"
import type { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { MessageId } from "@switchboard/domain/messages/Message"
import { accepted, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { parseOpenToken } from "@switchboard/services/email/opens/OpenLink"
import { parseUnsubscribeToken } from "@switchboard/services/email/send/UnsubscribeLink"
import { Deliveries } from "@switchboard/services/messages/delivery/Deliveries"
import { DeliveryConfirmation } from "@switchboard/services/messages/delivery/DeliveryConfirmation"
import type { TakenMessage } from "@switchboard/services/messages/delivery/DeliveryQueue"
import {
  MailDeferred,
  type MailReceipt,
  MailRefused,
  MailTransport,
  type OutgoingMail,
  RelayUnavailable
} from "@switchboard/services/messages/delivery/MailTransport"
import { OutgoingMails } from "@switchboard/services/messages/delivery/OutgoingMails"
import { RelayBreaker } from "@switchboard/services/messages/delivery/RelayBreaker"
import { SendSettings } from "@switchboard/services/messages/SendSettings"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { SecretBox } from "@switchboard/services/SecretBox"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { BigDecimal, DateTime, Duration, Effect, Layer, Option, Redacted, Schema, TestClock } from "effect"
import { v7 } from "uuid"
import { NothingPaused } from "../queues/NothingPaused.js"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const address = Schema.decodeSync(EmailAddress)
const [ada, bob, cyd] = [address("ada@example.com"), address("bob@example.com"), address("cyd@example.com")]

const state = taken(accepted([ada, bob, cyd], 8, false, start), false, start)

const message: TakenMessage = {
  organizationId: OrganizationId.make(v7()),
  messageId: MessageId.make(v7()),
  queueId: v7(),
  leaseExpiries: 0,
  isRepeat: false,
  takenAt: start,
  state,
  content: {
    subject: "Hello",
    html: "<p>Hello</p>",
    text: "Hello",
    from: "Us <us@localhost.test>",
    replyTo: [],
    attachments: []
  },
  addressing: { messageId: "<1@localhost.test>", to: [ada], cc: [bob], bcc: [cyd], headers: {}, tags: [] },
  attachments: [],
  categories: [],
  trackOpens: false,
  dueSince: start,
  createdAt: start,
  traceParent: null
}

const withStatuses = (...statuses: ReadonlyArray<DeliveryStatus>): TakenMessage["state"] => ({
  ...state,
  deliveries: state.deliveries.map((delivery, index) => ({ ...delivery, status: statuses[index] ?? "pending" }))
})

type Relay = (mail: OutgoingMail) => Effect.Effect<MailReceipt, MailRefused | MailDeferred | RelayUnavailable>

const acceptAll: Relay = ({ rcptTo }) =>
  Effect.succeed({
    replies: rcptTo.map((recipient) => ({ recipient, verdict: "accepted" as const })),
    response: "250 ok",
    providerMessageId: null
  })

const Secrets = Layer.merge(Signatures.Live, SecretBox.Live).pipe(
  Layer.provideMerge(Layer.succeed(MasterKey, Redacted.make<Uint8Array>(new Uint8Array(32))))
)

/** Runs one attempt; returns the outcome and the sent mails. */
const runAttempt = (changes: Partial<TakenMessage>, relay: Relay = acceptAll) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start.epochMillis)
    const mails: Array<OutgoingMail> = []
    const send: Relay = (mail) => {
      mails.push(mail)
      return relay(mail)
    }
    const outcome: DeliveryOutcome = yield* Effect.flatMap(Deliveries, (deliveries) =>
      deliveries.attempt({ ...message, ...changes }, () => true)
    ).pipe(
      Effect.provide(
        Deliveries.Default.pipe(
          Layer.provide(Layer.merge(OutgoingMails.Default, RelayBreaker.Default)),
          Layer.provide(SigningKeys.Default),
          Layer.provide([
            NothingPaused,
            Layer.mock(DomainRepo, { signingKey: () => Effect.succeedNone }),
            Layer.succeed(PublicUrl, "https://mail.example.com"),
            Layer.succeed(MailTransport, {
              relay: "relay.test:25",
              send,
              probe: Effect.succeed({ extensions: [] })
            }),
            Layer.succeed(DeliveryConfirmation, "accept"),
            Layer.succeed(SendSettings, {
              dedupeWindow: Duration.zero,
              emailUnitCost: BigDecimal.unsafeFromString("0"),
              retrySchedule: [Duration.hours(8)]
            })
          ])
        )
      )
    )
    return { outcome, mails }
  })

const verdictsOf = (outcome: DeliveryOutcome) =>
  outcome._tag === "Replied" ? outcome.replies.map(({ recipient, verdict }) => [recipient, verdict]) : outcome._tag

const marketing = { categories: ["news", "marketing"] }

it.layer(Secrets)("A message to several recipients", (it) => {
  it.effect("is one mail unless it is marketing or tracked", () =>
    Effect.gen(function* () {
      for (const changes of [
        {},
        { categories: ["news"] },
        { trackOpens: true, content: { ...message.content, html: "" } }
      ]) {
        const { mails } = yield* runAttempt(changes)
        assert.deepStrictEqual(
          mails.map(({ cc, html, rcptTo, to }) => [rcptTo, to, cc, html.includes("<img")]),
          [[[ada, bob, cyd], [ada], [bob], false]]
        )
        assert.notProperty(mails[0]?.headers, "List-Unsubscribe")
      }
    })
  )

  it.effect("is one mail per recipient if it is marketing, with the recipient's own unsubscribe link", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const { mails, outcome } = yield* runAttempt(marketing)
      assert.deepStrictEqual(
        mails.map(({ cc, envelopeId, html, messageId, rcptTo, to }) => [rcptTo, to, cc, messageId, envelopeId, html]),
        [ada, bob, cyd].map((one) => [[one], [one], [], "<1@localhost.test>", message.messageId, "<p>Hello</p>"])
      )
      assert.deepStrictEqual(
        mails.map(({ headers }) => {
          const token = /token=([\w.-]+)>/.exec(headers["List-Unsubscribe"] ?? "")?.[1] ?? ""
          return Option.getOrThrow(parseUnsubscribeToken(signatures, token)).recipient
        }),
        [ada, bob, cyd]
      )
      assert.deepStrictEqual(verdictsOf(outcome), [
        [ada, "accepted"],
        [bob, "accepted"],
        [cyd, "accepted"]
      ])
    })
  )

  it.effect(
    "is one mail per recipient if it is tracked, with all visible recipients and the recipient's own image",
    () =>
      Effect.gen(function* () {
        const signatures = yield* Signatures
        const { mails } = yield* runAttempt({
          trackOpens: true,
          state: withStatuses("delivered", "pending", "pending")
        })
        assert.deepStrictEqual(
          mails.map(({ cc, headers, html, rcptTo, text, to }) => {
            const token = /token=([\w.-]+)"/.exec(html)?.[1] ?? ""
            const { place } = Option.getOrThrow(parseOpenToken(signatures, token))
            return [rcptTo, to, cc, place, text, "List-Unsubscribe" in headers]
          }),
          [
            [[bob], [ada], [bob], 1, "Hello", false],
            [[cyd], [ada], [bob], 2, "Hello", false]
          ]
        )
      })
  )

  it.effect("is sent again only to deferred recipients", () =>
    Effect.gen(function* () {
      const relay: Relay = (mail) =>
        mail.rcptTo[0] === ada
          ? new MailDeferred({ smtpCode: 451, response: "later" })
          : mail.rcptTo[0] === bob
            ? new MailRefused({ smtpCode: 554, response: "no" })
            : acceptAll(mail)
      const first = yield* runAttempt(marketing, relay)
      assert.deepStrictEqual(verdictsOf(first.outcome), [
        [ada, "deferred"],
        [bob, "refused"],
        [cyd, "accepted"]
      ])
      const again = yield* runAttempt({ ...marketing, state: withStatuses("deferred", "bounced", "delivered") })
      assert.deepStrictEqual(
        again.mails.map(({ rcptTo }) => rcptTo),
        [[ada]]
      )
    })
  )

  it.effect("is sent to pending recipients before deferred ones", () =>
    Effect.gen(function* () {
      const { mails, outcome } = yield* runAttempt({
        ...marketing,
        state: withStatuses("deferred", "pending", "delivered")
      })
      assert.deepStrictEqual(
        mails.map(({ rcptTo }) => rcptTo),
        [[bob]]
      )
      assert.isNotNull("retryAt" in outcome ? outcome.retryAt : null)
    })
  )

  it.effect("keeps the replies received before the relay fails or a defect occurs", () =>
    Effect.gen(function* () {
      for (const end of [new RelayUnavailable({ response: "down" }), Effect.die("a bug")]) {
        const { mails, outcome } = yield* runAttempt(marketing, (mail) =>
          mail.rcptTo[0] === bob ? end : acceptAll(mail)
        )
        assert.strictEqual(mails.length, 2)
        assert.deepStrictEqual(verdictsOf(outcome), [[ada, "accepted"]])
        assert.isTrue(outcome._tag === "Replied" && outcome.rest !== undefined && outcome.rest.error !== null)
      }
    })
  )

  it.effect("leaves recipients for the next attempt if the relay is slow", () =>
    Effect.gen(function* () {
      const slowRelay: Relay = (mail) => Effect.zipRight(TestClock.adjust("5 seconds"), acceptAll(mail))
      const first = yield* runAttempt(marketing, slowRelay)
      assert.deepStrictEqual(verdictsOf(first.outcome), [[ada, "accepted"]])
      assert.deepStrictEqual(first.outcome._tag === "Replied" && first.outcome.rest, {
        at: DateTime.add(start, { seconds: 5 }),
        error: null
      })
      const later = yield* runAttempt(
        { ...marketing, state: withStatuses("deferred", "deferred", "delivered") },
        slowRelay
      )
      assert.strictEqual(later.mails.length, 2)
    })
  )
})
