import { assert, it } from "@effect/vitest"
import type { DeliveryStatus } from "@switchboard/domain/messages/delivery/Delivery"
import type { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { settled } from "@switchboard/domain/messages/state/MessageLifecycle"
import { parseUnsubscribeToken } from "@switchboard/services/email/send/Unsubscribes"
import { parseOpenToken } from "@switchboard/services/email/tracking/TrackingLinks"
import type { TakenOf } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { ProviderUnavailable, SendDeferred, SendRefused } from "@switchboard/services/messages/delivery/Provider"
import { Signatures } from "@switchboard/services/SecretBox"
import { DateTime, Effect, Option, TestClock } from "effect"
import { acceptAll, ada, bob, cyd, message, type Relay, runAttempt, Secrets, start } from "./Attempt.js"

const withStatuses = (...statuses: ReadonlyArray<DeliveryStatus>): TakenOf<"email">["state"] => ({
  ...message.state,
  deliveries: message.state.deliveries.map((delivery, index) => ({ ...delivery, status: statuses[index] ?? "pending" }))
})

/** A relay that takes this number of recipients in a transaction. */
const limited =
  (limit: number): Relay =>
  (mail) =>
    acceptAll({ ...mail, rcptTo: mail.rcptTo.slice(0, limit) })

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
          ? new SendDeferred({ smtpCode: 451, response: "later" })
          : mail.rcptTo[0] === bob
            ? new SendRefused({ smtpCode: 554, response: "no" })
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
      for (const end of [new ProviderUnavailable({ response: "down" }), Effect.die("a bug")]) {
        const { mails, outcome } = yield* runAttempt(marketing, (mail) =>
          mail.rcptTo[0] === bob ? end : acceptAll(mail)
        )
        assert.strictEqual(mails.length, 2)
        assert.deepStrictEqual(verdictsOf(outcome), [[ada, "accepted"]])
        assert.isTrue(outcome._tag === "Replied" && outcome.rest !== undefined && outcome.rest.error !== null)
      }
    })
  )

  it.effect("is sent at once in as many transactions as the relay's limit of recipients requires", () =>
    Effect.gen(function* () {
      for (const [limit, sizes] of [
        [1, "3 1 1"],
        [2, "3 1"]
      ] as const) {
        const { mails, outcome } = yield* runAttempt({}, limited(limit))
        assert.strictEqual(mails.map(({ rcptTo }) => rcptTo.length).join(" "), sizes)
        assert.deepStrictEqual(verdictsOf(outcome), [
          [ada, "accepted"],
          [bob, "accepted"],
          [cyd, "accepted"]
        ])
        assert.notProperty(outcome, "rest")
      }
    })
  )

  it.effect("leaves recipients beyond the limit for the next attempt if the relay is slow or fails", () =>
    Effect.gen(function* () {
      const slow = yield* runAttempt({}, (mail) => Effect.zipRight(TestClock.adjust("5 seconds"), limited(1)(mail)))
      const failing = yield* runAttempt({}, (mail) =>
        mail.rcptTo.length === 3 ? limited(1)(mail) : new ProviderUnavailable({ response: "down" })
      )
      for (const { mails, outcome } of [slow, failing]) {
        assert.strictEqual(mails.length, outcome === slow.outcome ? 1 : 2)
        const after = settled(message.state, outcome, "accept", start)
        assert.deepStrictEqual(
          after.deliveries.map(({ status }) => status),
          ["delivered", "pending", "pending"]
        )
        assert.strictEqual(after.retryCount, 0)
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
