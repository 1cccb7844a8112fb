import { BlockId } from "@switchboard/domain/email/blocks/Block"
import { type BlockedBy, suppressBlocked } from "@switchboard/domain/email/blocks/Suppression"
import { isAccepted, isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { accepted, due, settled, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { canMove } from "@switchboard/domain/messages/state/MessageStatus"
import { DateTime, Duration, FastCheck } from "effect"
import { assert, describe, it } from "vitest"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const after = (seconds: number) => DateTime.addDuration(start, Duration.seconds(seconds))
const everyone = ["Ada@example.com", "bob@example.com", "cyd@example.com"] as const
const [ada, bob, cyd] = everyone
const id = BlockId.make("01a1fc1e-3c55-7a1e-b6c0-1f2e3d4c5b6a")

const blocking = (...recipients: ReadonlyArray<string>): BlockedBy =>
  new Map(recipients.map((recipient) => [recipient.toLowerCase(), { id, reason: "complaint" as const }]))

const verdict = FastCheck.constantFrom("accepted" as const, "deferred" as const, "refused" as const)

type Verdict = typeof verdict extends FastCheck.Arbitrary<infer A> ? A : never

/** One attempt: each open recipient gets the verdict at its position. */
const attempt = (state: MessageState, verdicts: ReadonlyArray<Verdict>, at: number): MessageState =>
  settled(
    taken(state, false, after(at)),
    DeliveryOutcome.Replied({
      replies: state.deliveries.flatMap((delivery, index) =>
        isOpen(delivery)
          ? [{ recipient: delivery.recipient, verdict: verdicts[index] ?? "accepted", smtpCode: 250 }]
          : []
      ),
      response: "250 queued",
      providerMessageId: null,
      retryAt: after(60)
    }),
    "accept",
    after(at + 1)
  )

/** Any state of a queued message with an open recipient. */
const anyWaiting = FastCheck.record({
  scheduled: FastCheck.boolean(),
  attempts: FastCheck.array(FastCheck.tuple(verdict, verdict, verdict), { maxLength: 3 }),
  held: FastCheck.boolean()
})
  .map(({ attempts, held, scheduled }) => {
    const ready = due(accepted(everyone, 8, scheduled, start), after(1))
    const state = attempts.reduce(
      (before, verdicts, index) =>
        before.deliveries.some(isOpen) ? attempt(before, verdicts, 10 * (index + 1)) : before,
      ready
    )
    return held && state.deliveries.some(isOpen) ? taken(state, false, after(50)) : state
  })
  .filter(({ deliveries }) => deliveries.some(isOpen))

const anyBlocked = FastCheck.subarray([...everyone])

describe("Blocked recipients of a queued message", () => {
  it("are suppressed if they are open, and other recipients are unchanged", () =>
    FastCheck.assert(
      FastCheck.property(anyWaiting, anyBlocked, (state, blocked) => {
        const next = suppressBlocked(state, blocking(...blocked), after(100))
        for (const [index, before] of state.deliveries.entries()) {
          const now = next.deliveries[index]
          if (blocked.some((one) => one === before.recipient) && isOpen(before)) {
            assert.deepStrictEqual(now, {
              recipient: before.recipient,
              status: "suppressed",
              at: DateTime.formatIso(after(100))
            })
          } else assert.strictEqual(now, before)
        }
      })
    ))

  it("end the message if no recipient is open, through allowed transitions", () =>
    FastCheck.assert(
      FastCheck.property(anyWaiting, anyBlocked, (state, blocked) => {
        const next = suppressBlocked(state, blocking(...blocked), after(100))
        const wasChanged = next !== state
        const isOver = !next.deliveries.some(isOpen)
        const moves = next.statusHistory.slice(state.statusHistory.length - 1).map(({ status }) => status)
        for (const [index, to] of moves.slice(1).entries()) {
          const from = moves[index]
          assert.isTrue(from !== undefined && canMove(from, to), `${from} to ${to}`)
        }
        if (!isOver || state.deliveries.some(isAccepted)) assert.strictEqual(next.status, state.status)
        else {
          const refused = state.deliveries.some(({ status }) => status === "bounced")
          assert.strictEqual(next.status, refused ? "bounced" : "failed")
          assert.deepStrictEqual(next.failedAt, after(100))
        }
        if (isOver) {
          assert.isTrue(wasChanged)
          assert.deepInclude(next.errorDetails, {
            code: "recipient_blocked",
            details: { blockId: id, reason: "complaint" },
            retryable: false
          })
        }
        assert.strictEqual(next.deliveryAttempts, state.deliveryAttempts)
      })
    ))

  it("change nothing the second time, or if no recipient is blocked", () =>
    FastCheck.assert(
      FastCheck.property(anyWaiting, anyBlocked, (state, blocked) => {
        const next = suppressBlocked(state, blocking(...blocked), after(100))
        assert.strictEqual(suppressBlocked(next, blocking(...blocked), after(101)), next)
        assert.strictEqual(suppressBlocked(state, new Map(), after(100)), state)
      })
    ))
})

describe("A message whose recipients are blocked", () => {
  const statuses = ({ statusHistory }: MessageState) => statusHistory.map(({ status }) => status).join(" ")

  it("fails without an attempt", () => {
    const next = suppressBlocked(accepted([ada], 8, false, start), blocking(ada), after(1))
    assert.strictEqual(statuses(next), "pending failed")
    assert.strictEqual(next.statusHistory.at(-1)?.reason, "recipient_blocked")
    assert.strictEqual(next.deliveryAttempts, 0)
  })

  it("fails also while a worker processes it", () => {
    const next = suppressBlocked(taken(accepted([ada], 8, false, start), false, start), blocking(ada), after(1))
    assert.strictEqual(statuses(next), "pending processing failed")
  })

  it("fails before a retry, without a time of the next retry", () => {
    const waiting = attempt(accepted([ada], 8, false, start), ["deferred"], 10)
    const next = suppressBlocked(waiting, blocking(ada), after(100))
    assert.strictEqual(statuses(next), "pending processing queued failed")
    assert.isUndefined(next.errorDetails?.nextRetryAt)
  })

  it("stays delivered to a recipient that received it, and suppresses the waiting ones", () => {
    const waiting = attempt(accepted([ada, bob], 8, false, start), ["accepted", "deferred"], 10)
    const next = suppressBlocked(waiting, blocking(ada, bob), after(100))
    assert.strictEqual(next.status, "delivered")
    assert.deepStrictEqual(
      next.deliveries.map(({ status }) => status),
      ["delivered", "suppressed"]
    )
    assert.isUndefined(next.errorDetails?.nextRetryAt)
  })

  it("bounces if the other recipients were rejected", () => {
    const waiting = attempt(accepted([ada, bob, cyd], 8, false, start), ["refused", "deferred", "deferred"], 10)
    const next = suppressBlocked(waiting, blocking(bob, cyd), after(100))
    assert.strictEqual(statuses(next), "pending processing queued processing bounced")
    assert.strictEqual(next.deliveryAttempts, 1)
  })
})
