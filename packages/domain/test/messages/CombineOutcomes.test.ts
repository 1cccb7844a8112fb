import { combined, endsAttempt, type PartialOutcome } from "@switchboard/domain/messages/delivery/CombineOutcomes"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import {
  accepted,
  nextAttemptAt,
  settled,
  taken,
  withinLongestWait
} from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const after = (seconds: number) => DateTime.add(start, { seconds })
const retryAt = after(60)
const [ada, bob, cyd] = ["ada@example.com", "bob@example.com", "cyd@example.com"] as const
const everyone = [ada, bob, cyd]

const taking = (recipient: string): PartialOutcome => ({
  recipients: [recipient],
  outcome: DeliveryOutcome.Answered({
    replies: [{ recipient, verdict: "accepted", smtpCode: 250, response: "ok" }],
    response: `250 ${recipient}`,
    providerMessageId: recipient,
    retryAt: null
  })
})
const refusing = (recipient: string): PartialOutcome => ({
  recipients: [recipient],
  outcome: DeliveryOutcome.Refused({ smtpCode: 554, response: "no" })
})
const puttingOff = (recipient: string): PartialOutcome => ({
  recipients: [recipient],
  outcome: DeliveryOutcome.Deferred({ code: "deferred", smtpCode: 451, response: "later", retryAt })
})
const outage = (recipient: string): PartialOutcome => ({
  recipients: [recipient],
  outcome: DeliveryOutcome.Outage({ response: "down", retryAt: after(5) })
})

/** What the parts of an attempt make of a message that is held. */
const attempt = (
  state: MessageState,
  parts: ReadonlyArray<PartialOutcome>,
  {
    again = retryAt,
    restAt = null
  }: { readonly again?: DateTime.Utc | null; readonly restAt?: DateTime.Utc | null } = {}
) => {
  const open = state.deliveries.flatMap(({ recipient, status }) =>
    status === "pending" || status === "deferred" ? [recipient] : []
  )
  const outcome = combined({ open, parts, retryAt: again, restAt })
  const next = settled(state, outcome, "accept", after(2))
  return {
    outcome,
    next,
    status: next.status,
    deliveries: next.deliveries.map(({ status }) => status),
    at: nextAttemptAt(next, outcome, after(2))
  }
}
const held = (recipients: ReadonlyArray<string> = everyone) =>
  taken(accepted(recipients, 8, false, start), false, after(1))

describe("An attempt of several mails", () => {
  it("says of each recipient what became of theirs, and repeats only what was put off", () => {
    const first = attempt(held(), [taking(ada), refusing(bob), puttingOff(cyd)])
    assert.deepStrictEqual([first.status, first.deliveries], ["delivered", ["delivered", "bounced", "deferred"]])
    assert.deepStrictEqual([first.at, first.next.retryCount], [retryAt, 1])
    assert.deepStrictEqual(
      [first.next.providerMessageId, first.next.providerResponse],
      [ada, { response: `250 ${ada}` }]
    )
    const second = attempt(taken(first.next, false, retryAt), [taking(cyd)])
    assert.deepStrictEqual(second.deliveries, ["delivered", "bounced", "delivered"])
    assert.isNull(second.at)
    assert.isNull(second.next.errorDetails)
  })

  it("is refused as a whole only where all of it was", () => {
    const whole = attempt(held(), [refusing(ada), refusing(bob), refusing(cyd)])
    assert.deepStrictEqual([whole.outcome._tag, whole.status], ["Refused", "failed"])
    assert.deepStrictEqual(attempt(held([ada]), [refusing(ada)]).outcome._tag, "Refused")
    // Ada was put off before: what is said of bob's and cyd's is not said of hers.
    const first = attempt(held(), [puttingOff(ada)], { restAt: after(2) })
    const second = attempt(taken(first.next, false, after(3)), [refusing(bob), refusing(cyd)])
    assert.deepStrictEqual([second.status, second.deliveries], ["queued", ["deferred", "bounced", "bounced"]])
    assert.deepStrictEqual(second.at, retryAt)
  })

  it("that an outage cuts short costs those no retry whom it did not come to", () => {
    const cut = attempt(held(), [taking(ada), outage(bob)])
    assert.deepStrictEqual([cut.status, cut.deliveries], ["delivered", ["delivered", "pending", "pending"]])
    assert.deepStrictEqual(
      [cut.at, cut.next.retryCount, cut.next.errorDetails?.code],
      [after(5), 0, "relay_unavailable"]
    )
    // Refused is bob alone: the message goes on.
    const bounced = attempt(held(), [refusing(ada), outage(bob)])
    assert.deepStrictEqual([bounced.status, bounced.deliveries], ["queued", ["bounced", "pending", "pending"]])
    // Nobody has heard anything: an outage like any.
    const none = attempt(held(), [outage(ada)])
    assert.deepStrictEqual([none.outcome._tag, none.status, none.at], ["Outage", "queued", after(5)])
  })

  it("that an outage cuts short goes on when it is over also with those who were put off before", () => {
    const both = attempt(held([ada, bob]), [puttingOff(ada), puttingOff(bob)])
    const cut = attempt(taken(both.next, false, retryAt), [taking(ada), outage(bob)], { again: after(600) })
    assert.deepStrictEqual([cut.deliveries, cut.at], [["delivered", "deferred"], after(5)])
    assert.strictEqual(cut.next.retryCount, 1)
  })

  it("without time for all goes on at once with those it had none for, and then only with who was put off", () => {
    const first = attempt(held(), [taking(ada), puttingOff(bob)], { restAt: after(2) })
    assert.deepStrictEqual([first.deliveries, first.at], [["delivered", "deferred", "pending"], after(2)])
    assert.strictEqual(first.next.retryCount, 0)
    const second = attempt(taken(first.next, false, after(3)), [taking(cyd)])
    assert.deepStrictEqual([second.deliveries, second.at], [["delivered", "deferred", "delivered"], retryAt])
    assert.deepStrictEqual([second.next.retryCount, second.next.lastError], [1, "later"])
  })

  it("without time for all is no trouble where there was none", () => {
    const { at, next, status } = attempt(held(), [taking(ada)], { restAt: after(2) })
    assert.deepStrictEqual([status, at, next.errorDetails, next.lastError], ["delivered", after(2), null, null])
  })

  it("with its retries used up leaves nobody waiting", () => {
    const first = attempt(held([ada, bob]), [puttingOff(ada)], { restAt: after(2) })
    const last = attempt(taken(first.next, false, after(3)), [taking(bob)], { again: null })
    assert.deepStrictEqual([last.deliveries, last.at], [["failed", "delivered"], null])
    const cut = attempt(held([ada, bob]), [puttingOff(ada), outage(bob)], { again: null })
    assert.deepStrictEqual([cut.deliveries, cut.at], [["failed", "pending"], after(5)])
  })

  it("says that the next try may be a second copy where the relay had the mail and did not reply", () => {
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
    const none = attempt(held([ada]), [lost(ada)])
    assert.deepInclude(lastEntry(none), { status: "queued", metadata: { possibleDuplicate: true } })
    const some = attempt(held(), [taking(ada), lost(bob), puttingOff(cyd)])
    assert.deepInclude(lastEntry(some), { status: "delivered", metadata: { possibleDuplicate: true } })
    assert.deepStrictEqual(some.deliveries, ["delivered", "deferred", "deferred"])
    assert.isUndefined(lastEntry(attempt(held([ada]), [puttingOff(ada)]))?.metadata)
  })

  it("is never put off past the message's end", () => {
    const outcome = combined({ open: everyone, parts: [taking(ada)], retryAt, restAt: after(80 * 3_600) })
    const bounded = withinLongestWait(outcome, start)
    assert.deepStrictEqual(bounded._tag === "Answered" && bounded.rest?.at, after(72 * 3_600))
  })

  it("ends with what is no recipient's matter", () => {
    const unsigned = DeliveryOutcome.Deferred({ code: "signing_unavailable", smtpCode: null, response: "", retryAt })
    assert.deepStrictEqual(
      [taking(ada), refusing(ada), puttingOff(ada), outage(ada)].map(({ outcome }) => endsAttempt(outcome)),
      [false, false, false, true]
    )
    assert.isTrue(endsAttempt(unsigned))
    const cut = attempt(held(), [taking(ada), { recipients: [bob], outcome: unsigned }])
    assert.deepStrictEqual([cut.deliveries, cut.at], [["delivered", "pending", "pending"], retryAt])
  })
})
