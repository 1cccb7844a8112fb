import {
  combineOutcomes,
  endsAttempt,
  type PartialOutcome
} from "@switchboard/domain/messages/delivery/CombineOutcomes"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import {
  accepted,
  nextAttemptAt,
  settled,
  taken,
  withinQueueLifetime
} from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const after = (seconds: number) => DateTime.add(start, { seconds })
const retryAt = after(60)
const [ada, bob, cyd] = ["ada@example.com", "bob@example.com", "cyd@example.com"] as const
const everyone = [ada, bob, cyd]

const accept = (recipient: string): PartialOutcome => ({
  recipients: [recipient],
  outcome: DeliveryOutcome.Replied({
    replies: [{ recipient, verdict: "accepted", smtpCode: 250, response: "ok" }],
    response: `250 ${recipient}`,
    providerMessageId: recipient,
    retryAt: null
  })
})
const refuse = (recipient: string, smtpCode = 554, response = "no"): PartialOutcome => ({
  recipients: [recipient],
  outcome: DeliveryOutcome.Refused({ smtpCode, response })
})
const defer = (recipient: string): PartialOutcome => ({
  recipients: [recipient],
  outcome: DeliveryOutcome.Deferred({ code: "deferred", smtpCode: 451, response: "later", retryAt })
})
const outage = (recipient: string): PartialOutcome => ({
  recipients: [recipient],
  outcome: DeliveryOutcome.Outage({ response: "down", retryAt: after(5) })
})

/** Combines the parts of an attempt and settles the message with them. */
const attempt = (
  state: MessageState,
  parts: ReadonlyArray<PartialOutcome>,
  {
    nextRetryAt = retryAt,
    restAt = null
  }: { readonly nextRetryAt?: DateTime.Utc | null; readonly restAt?: DateTime.Utc | null } = {}
) => {
  const open = state.deliveries.flatMap(({ recipient, status }) =>
    status === "pending" || status === "deferred" ? [recipient] : []
  )
  const outcome = combineOutcomes({ open, parts, retryAt: nextRetryAt, restAt })
  const next = settled(state, outcome, "accept", after(2))
  return {
    outcome,
    next,
    status: next.status,
    deliveries: next.deliveries.map(({ status }) => status),
    at: nextAttemptAt(next, outcome, after(2))
  }
}
const lease = (recipients: ReadonlyArray<string> = everyone) =>
  taken(accepted(recipients, 8, false, start), false, after(1))

describe("An attempt with several mails", () => {
  it("settles each recipient by its own outcome and retries only deferred ones", () => {
    const first = attempt(lease(), [accept(ada), refuse(bob), defer(cyd)])
    assert.deepStrictEqual([first.status, first.deliveries], ["delivered", ["delivered", "bounced", "deferred"]])
    assert.deepStrictEqual([first.at, first.next.retryCount], [retryAt, 1])
    assert.deepStrictEqual(
      [first.next.providerMessageId, first.next.providerResponse],
      [ada, { response: `250 ${ada}` }]
    )
    const second = attempt(taken(first.next, false, retryAt), [accept(cyd)])
    assert.deepStrictEqual(second.deliveries, ["delivered", "bounced", "delivered"])
    assert.isNull(second.at)
    assert.isNull(second.next.errorDetails)
  })

  it("is rejected only if all recipients are rejected", () => {
    const allRefused = attempt(lease(), [refuse(ada), refuse(bob), refuse(cyd)])
    assert.deepStrictEqual([allRefused.outcome._tag, allRefused.status], ["Refused", "failed"])
    assert.deepStrictEqual(attempt(lease([ada]), [refuse(ada)]).outcome._tag, "Refused")
    // Ada was deferred before, so the rejections of Bob and Cyd do not apply to her.
    const first = attempt(lease(), [defer(ada)], { restAt: after(2) })
    const second = attempt(taken(first.next, false, after(3)), [refuse(bob), refuse(cyd)])
    assert.deepStrictEqual([second.status, second.deliveries], ["queued", ["deferred", "bounced", "bounced"]])
    assert.deepStrictEqual(second.at, retryAt)
  })

  it("has the reply of each server if servers reject the mail for different reasons", () => {
    const size = "552 5.3.4 Message size exceeds fixed limit"
    const dmarc = "550 5.7.26 Fails DMARC"
    const { next, status } = attempt(lease([ada, bob]), [refuse(ada, 552, size), refuse(bob, 550, dmarc)])
    assert.strictEqual(status, "bounced")
    assert.deepStrictEqual(
      next.deliveries.map(({ reason, response, smtpCode }) => [smtpCode, reason, response]),
      [
        [552, "message_too_large", size],
        [550, "authentication", dmarc]
      ]
    )
    const same = [refuse(ada, 552, `${size} 1`), refuse(bob, 552, `${size} 2`)]
    assert.deepStrictEqual(attempt(lease([ada, bob]), same).outcome._tag, "Refused")
  })

  it("counts no retry for recipients that an outage left without an attempt", () => {
    const interrupted = attempt(lease(), [accept(ada), outage(bob)])
    assert.deepStrictEqual(
      [interrupted.status, interrupted.deliveries],
      ["delivered", ["delivered", "pending", "pending"]]
    )
    assert.deepStrictEqual(
      [interrupted.at, interrupted.next.retryCount, interrupted.next.errorDetails?.code],
      [after(5), 0, "relay_unavailable"]
    )
    // Only Bob is rejected: the message stays queued.
    const bounced = attempt(lease(), [refuse(ada), outage(bob)])
    assert.deepStrictEqual([bounced.status, bounced.deliveries], ["queued", ["bounced", "pending", "pending"]])
    // No recipient was attempted: an ordinary outage.
    const none = attempt(lease(), [outage(ada)])
    assert.deepStrictEqual([none.outcome._tag, none.status, none.at], ["Outage", "queued", after(5)])
  })

  it("continues after an outage with deferred recipients too", () => {
    const both = attempt(lease([ada, bob]), [defer(ada), defer(bob)])
    const interrupted = attempt(taken(both.next, false, retryAt), [accept(ada), outage(bob)], {
      nextRetryAt: after(600)
    })
    assert.deepStrictEqual([interrupted.deliveries, interrupted.at], [["delivered", "deferred"], after(5)])
    assert.strictEqual(interrupted.next.retryCount, 1)
  })

  it("continues at once with recipients it had no time for, and later with deferred ones", () => {
    const first = attempt(lease(), [accept(ada), defer(bob)], { restAt: after(2) })
    assert.deepStrictEqual([first.deliveries, first.at], [["delivered", "deferred", "pending"], after(2)])
    assert.strictEqual(first.next.retryCount, 0)
    const second = attempt(taken(first.next, false, after(3)), [accept(cyd)])
    assert.deepStrictEqual([second.deliveries, second.at], [["delivered", "deferred", "delivered"], retryAt])
    assert.deepStrictEqual([second.next.retryCount, second.next.lastError], [1, "later"])
  })

  it("attempts postponed recipients soon without a retry", () => {
    const postponed = (recipient: string, seconds: number): PartialOutcome => ({
      recipients: [recipient],
      outcome: DeliveryOutcome.Postponed({ retryAt: after(seconds) })
    })
    const some = attempt(lease(), [postponed(ada, 9), accept(bob), postponed(cyd, 7)])
    assert.deepStrictEqual([some.deliveries, some.at], [["pending", "delivered", "pending"], after(7)])
    assert.deepStrictEqual([some.next.retryCount, some.next.errorDetails], [0, null])
    const deferred = attempt(lease(), [defer(ada), postponed(bob, 7), refuse(cyd)])
    assert.deepStrictEqual([deferred.deliveries, deferred.at], [["deferred", "pending", "bounced"], after(7)])
    const none = attempt(lease(), [postponed(ada, 9), postponed(bob, 7), postponed(cyd, 8)])
    assert.deepStrictEqual(none.outcome, DeliveryOutcome.Postponed({ retryAt: after(7) }))
    assert.deepStrictEqual([none.next, none.at], [lease(), after(7)])
  })

  it("records no error if it only lacked time", () => {
    const { at, next, status } = attempt(lease(), [accept(ada)], { restAt: after(2) })
    assert.deepStrictEqual([status, at, next.errorDetails, next.lastError], ["delivered", after(2), null, null])
  })

  it("fails deferred recipients when no retry is left", () => {
    const first = attempt(lease([ada, bob]), [defer(ada)], { restAt: after(2) })
    const last = attempt(taken(first.next, false, after(3)), [accept(bob)], { nextRetryAt: null })
    assert.deepStrictEqual([last.deliveries, last.at], [["failed", "delivered"], null])
    const interrupted = attempt(lease([ada, bob]), [defer(ada), outage(bob)], { nextRetryAt: null })
    assert.deepStrictEqual([interrupted.deliveries, interrupted.at], [["failed", "pending"], after(5)])
  })

  it("marks the next attempt as a possible duplicate if the relay closed the connection after the mail", () => {
    const lost = (recipient: string): PartialOutcome => ({
      recipients: [recipient],
      outcome: DeliveryOutcome.Deferred({
        code: "deferred",
        smtpCode: null,
        response: "closed",
        retryAt,
        mayBeTaken: true
      })
    })
    const lastEntry = ({ next }: ReturnType<typeof attempt>) => next.statusHistory.at(-1)
    const none = attempt(lease([ada]), [lost(ada)])
    assert.deepInclude(lastEntry(none), { status: "queued", metadata: { possibleDuplicate: true } })
    const some = attempt(lease(), [accept(ada), lost(bob), defer(cyd)])
    assert.deepInclude(lastEntry(some), { status: "delivered", metadata: { possibleDuplicate: true } })
    assert.deepStrictEqual(some.deliveries, ["delivered", "deferred", "deferred"])
    assert.isUndefined(lastEntry(attempt(lease([ada]), [defer(ada)]))?.metadata)
  })

  it("limits the next attempt to the message's expiry time", () => {
    const outcome = combineOutcomes({ open: everyone, parts: [accept(ada)], retryAt, restAt: after(80 * 3_600) })
    const bounded = withinQueueLifetime(outcome, start)
    assert.deepStrictEqual(bounded._tag === "Replied" && bounded.rest?.at, after(72 * 3_600))
  })

  it("ends with an outcome that concerns all recipients", () => {
    const unsigned = DeliveryOutcome.Deferred({ code: "signing_unavailable", smtpCode: null, response: "", retryAt })
    assert.deepStrictEqual(
      [accept(ada), refuse(ada), defer(ada), outage(ada)].map(({ outcome }) => endsAttempt(outcome)),
      [false, false, false, true]
    )
    assert.isTrue(endsAttempt(unsigned))
    const interrupted = attempt(lease(), [accept(ada), { recipients: [bob], outcome: unsigned }])
    assert.deepStrictEqual([interrupted.deliveries, interrupted.at], [["delivered", "pending", "pending"], retryAt])
  })
})
