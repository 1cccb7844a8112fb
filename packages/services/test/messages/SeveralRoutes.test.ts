import { assert, describe, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { settled } from "@switchboard/domain/messages/state/MessageLifecycle"
import {
  ProviderUnavailable,
  SendDeferred,
  SendPostponed,
  SendRefused
} from "@switchboard/services/messages/delivery/Provider"
import { DateTime, Deferred, Effect, Fiber, TestClock } from "effect"
import { acceptAll, ada, bob, cyd, message, type Relay, runAttempt, Secrets, start } from "./Attempt.js"

const later = DateTime.add(start, { seconds: 9 })

/** Attempts a message whose recipients are at one destination each. */
const attempt = (relay: Relay, changes: Parameters<typeof runAttempt>[0] = {}) =>
  runAttempt(changes, relay, start, undefined, (recipient) => recipient)

/** Sends with a result for each recipient; others are accepted. */
const by =
  (results: Readonly<Record<string, ReturnType<Relay>>>): Relay =>
  (mail) =>
    results[mail.rcptTo[0] ?? ""] ?? acceptAll(mail)

describe("An attempt over several routes", () => {
  it.effect("sends one mail over each, at the same time", () =>
    Effect.gen(function* () {
      const isWaiting = yield* Deferred.make<void>()
      const { mails, outcome } = yield* attempt((mail) =>
        Effect.zipRight(
          mail.rcptTo[0] === ada ? Deferred.await(isWaiting) : Deferred.succeed(isWaiting, undefined),
          acceptAll(mail)
        )
      )
      assert.deepStrictEqual(
        mails.map(({ rcptTo }) => rcptTo),
        [[ada], [bob], [cyd]]
      )
      assert.strictEqual(outcome._tag, "Replied")
    }).pipe(Effect.provide(Secrets))
  )

  it.effect("settles the recipients of each by its own result", () =>
    Effect.gen(function* () {
      const { outcome } = yield* attempt(
        by({
          [bob]: new SendRefused({ smtpCode: 550, response: "550 5.7.1 No" }),
          [cyd]: new ProviderUnavailable({ response: "connect ECONNREFUSED" })
        })
      )
      const replies = outcome._tag === "Replied" ? outcome.replies : []
      assert.deepStrictEqual(
        replies.map(({ reason, recipient, verdict }) => [recipient, verdict, reason]),
        [
          [ada, "accepted", undefined],
          [bob, "refused", undefined],
          [cyd, "deferred", "network"]
        ]
      )
      assert.isNotNull(outcome._tag === "Replied" ? outcome.retryAt : null)
      assert.isUndefined(outcome._tag === "Replied" ? outcome.rest : null)
    }).pipe(Effect.provide(Secrets))
  )

  it.effect("stores what ended routes reached while another is in progress", () =>
    Effect.gen(function* () {
      const isOver = yield* Deferred.make<void>()
      const stored: Array<DeliveryOutcome> = []
      const running = yield* Effect.fork(
        runAttempt(
          {},
          by({
            [bob]: new SendDeferred({ smtpCode: 451, response: "451 4.2.1 Later" }),
            [cyd]: Effect.zipRight(Deferred.await(isOver), new SendRefused({ smtpCode: 550, response: "550 5.7.1 No" }))
          }),
          start,
          undefined,
          (recipient) => recipient,
          (outcome) => Effect.sync(() => void stored.push(outcome))
        )
      )
      yield* TestClock.adjust("499 millis")
      assert.deepStrictEqual(stored, [])
      yield* TestClock.adjust("5 seconds")
      const [progress] = stored
      assert.lengthOf(stored, 1)
      const after = settled(message.state, progress ?? DeliveryOutcome.Released(), "accept", start)
      assert.strictEqual(after.status, "delivered")
      assert.deepStrictEqual(
        after.deliveries.map(({ status }) => status),
        ["delivered", "pending", "pending"]
      )
      yield* Deferred.succeed(isOver, undefined)
      const { outcome } = yield* Fiber.join(running)
      assert.deepStrictEqual(
        settled(after, outcome, "accept", start).deliveries.map(({ status }) => status),
        ["delivered", "deferred", "bounced"]
      )
      assert.lengthOf(stored, 1)
    }).pipe(Effect.provide(Secrets))
  )

  it.effect("returns soon to the recipients of a busy one, and to no others", () =>
    Effect.gen(function* () {
      const relay = by({
        [bob]: new SendPostponed({ until: later }),
        [cyd]: new SendDeferred({ smtpCode: 451, response: "451 4.2.1 Later" })
      })
      const first = yield* attempt(relay)
      assert.deepStrictEqual(first.outcome._tag === "Replied" ? first.outcome.rest : null, { at: later, error: null })
      const deliveries = message.state.deliveries.map((delivery) => ({
        ...delivery,
        status:
          delivery.recipient === ada
            ? ("delivered" as const)
            : delivery.recipient === cyd
              ? ("deferred" as const)
              : delivery.status
      }))
      const second = yield* attempt(acceptAll, { state: { ...message.state, deliveries } })
      assert.deepStrictEqual(
        second.mails.map(({ rcptTo }) => rcptTo),
        [[bob]]
      )
    }).pipe(Effect.provide(Secrets))
  )

  it.effect("uses up no retry while the database with the signing keys is unavailable", () =>
    Effect.gen(function* () {
      const { mails, outcome } = yield* runAttempt(
        {},
        acceptAll,
        start,
        () => new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 }),
        (recipient) => recipient
      )
      assert.deepStrictEqual([mails, outcome._tag], [[], "Outage"])
    }).pipe(Effect.provide(Secrets))
  )

  it.effect("is postponed if all are busy", () =>
    Effect.gen(function* () {
      const { outcome } = yield* attempt(() => new SendPostponed({ until: later }))
      assert.deepStrictEqual([outcome._tag, "retryAt" in outcome ? outcome.retryAt : null], ["Postponed", later])
    }).pipe(Effect.provide(Secrets))
  )
})
