import type { Confirmation } from "@switchboard/domain/messages/delivery/Confirmation"
import { isAccepted, isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import { DeliveryOutcome, type RecipientReply } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import {
  accepted,
  cancelled,
  complained,
  due,
  expiresAt,
  isExpired,
  nextAttemptAt,
  settled,
  taken,
  withinQueueLifetime
} from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { canMove, type MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import { DateTime, Duration, FastCheck } from "effect"
import { assert, describe, it } from "vitest"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const after = (seconds: number) => DateTime.addDuration(start, Duration.seconds(seconds))
const retryAt = after(60)

const [ada, bob, cyd] = ["ada@example.com", "bob@example.com", "cyd@example.com"] as const
const everyone = [ada, bob, cyd]

const statusesOf = (state: MessageState): ReadonlyArray<MessageStatus> =>
  state.statusHistory.map(({ status }) => status)

const repliesTo = (
  recipients: ReadonlyArray<string>,
  verdict: RecipientReply["verdict"],
  smtpCode: number
): ReadonlyArray<RecipientReply> =>
  recipients.map((recipient) => ({ recipient, verdict, smtpCode, response: `${smtpCode} said of ${recipient}` }))

const outcomeOf = (replies: ReadonlyArray<RecipientReply>, again: DateTime.Utc | null = null) =>
  DeliveryOutcome.Replied({ replies, response: "250 queued", providerMessageId: "q1", retryAt: again })

const newState = (recipients: ReadonlyArray<string> = everyone) => accepted(recipients, 8, false, start)
const leased = (recipients?: ReadonlyArray<string>) => taken(newState(recipients), false, after(1))

const deliveryStatuses = (state: MessageState) => state.deliveries.map(({ status }) => status)

const anyRetryAt = FastCheck.constantFrom(retryAt, null)

/** Arbitrary relay replies to the open recipients: a verdict for each of the three. */
const anyReplies = FastCheck.record({
  verdicts: FastCheck.tuple(
    ...everyone.map(() => FastCheck.constantFrom("accepted" as const, "deferred" as const, "refused" as const))
  ),
  again: anyRetryAt
}).map(
  ({ again, verdicts }) =>
    (open: ReadonlyArray<string>): DeliveryOutcome =>
      outcomeOf(
        everyone.flatMap((recipient, index) =>
          open.includes(recipient) ? [{ recipient, verdict: verdicts[index] ?? "accepted", smtpCode: 250 }] : []
        ),
        again
      )
)

const anyOutcome: FastCheck.Arbitrary<DeliveryOutcome> = FastCheck.oneof(
  FastCheck.constant(DeliveryOutcome.Refused({ smtpCode: 554, response: "no" })),
  anyRetryAt.map((again) =>
    DeliveryOutcome.Deferred({ code: "message_deferred", smtpCode: 451, response: "later", retryAt: again })
  ),
  FastCheck.constant(DeliveryOutcome.Outage({ response: "refused", retryAt })),
  FastCheck.constant(DeliveryOutcome.Expired()),
  FastCheck.constant(DeliveryOutcome.Poisoned({ leaseExpiries: 3 })),
  FastCheck.constant(DeliveryOutcome.Released())
)

/** An attempt: leased, possibly again after expired leases, and settled. */
const anyAttempt = FastCheck.record({
  leaseExpiries: FastCheck.nat(2),
  outcomeFor: FastCheck.oneof(
    { arbitrary: anyReplies, weight: 3 },
    { arbitrary: anyOutcome.map((outcome) => () => outcome), weight: 2 }
  )
})

const anyRun = FastCheck.record({
  recipients: FastCheck.subarray(everyone, { minLength: 1 }),
  scheduled: FastCheck.boolean(),
  confirmation: FastCheck.constantFrom<Confirmation>("accept", "dsn"),
  attempts: FastCheck.array(anyAttempt, { maxLength: 12 })
})

type Run = typeof anyRun extends FastCheck.Arbitrary<infer A> ? A : never

/** All states of a run, until no recipient is open. */
const statesOf = ({ attempts, confirmation, recipients, scheduled }: Run): ReadonlyArray<MessageState> => {
  const states = [accepted(recipients, 8, scheduled, start)]
  let seconds = 0
  let state = states[0] as MessageState
  const advance = (next: MessageState) => {
    state = next
    states.push(next)
  }
  advance(due(state, after(++seconds)))
  for (const { outcomeFor, leaseExpiries } of attempts) {
    const open = state.deliveries.filter(isOpen).map(({ recipient }) => recipient)
    if (open.length === 0) break
    advance(taken(state, false, after(++seconds)))
    for (let lease = 0; lease < leaseExpiries; lease++) advance(taken(state, true, after(++seconds)))
    advance(settled(state, outcomeFor(open), confirmation, after(++seconds)))
  }
  return states
}

const pairs = <A>(items: ReadonlyArray<A>): ReadonlyArray<readonly [A, A]> =>
  items.slice(1).map((item, index) => [items[index] as A, item] as const)

const forEveryRun = (check: (states: ReadonlyArray<MessageState>) => void) =>
  FastCheck.assert(
    FastCheck.property(anyRun, (run) => check(statesOf(run))),
    { numRuns: 1_000 }
  )

describe("Any sequence of attempts", () => {
  it("makes only allowed transitions", () =>
    forEveryRun((states) => {
      for (const [from, to] of pairs((states.at(-1) as MessageState).statusHistory)) {
        // A repeated attempt is recorded without a transition if some recipients have the message.
        const isNote = from.status === to.status && to.metadata?.possibleDuplicate === true
        assert.isTrue(isNote || canMove(from.status, to.status), `${from.status} to ${to.status}`)
      }
    }))

  it("only appends to the history, whose last entry is the current status", () =>
    forEveryRun((states) => {
      for (const [before, next] of pairs(states)) {
        assert.deepStrictEqual(next.statusHistory.slice(0, before.statusHistory.length), before.statusHistory)
      }
      for (const state of states) assert.strictEqual(state.statusHistory.at(-1)?.status, state.status)
    }))

  it("never reopens a recipient that received or rejected the message", () =>
    forEveryRun((states) => {
      for (const [before, next] of pairs(states)) {
        before.deliveries.forEach((delivery, index) => {
          if (!isOpen(delivery)) assert.deepStrictEqual(next.deliveries[index], delivery)
        })
      }
    }))

  it("keeps the recipients and their order", () =>
    forEveryRun((states) => {
      const recipients = (state: MessageState) => state.deliveries.map(({ recipient }) => recipient)
      for (const state of states) assert.deepStrictEqual(recipients(state), recipients(states[0] as MessageState))
    }))

  it("never leaves a final status", () =>
    forEveryRun((states) => {
      for (const [before, next] of pairs(states)) {
        if (["failed", "bounced", "complained"].includes(before.status)) assert.strictEqual(next.status, before.status)
      }
    }))

  it("fails or bounces only if no recipient is open or has the message", () =>
    forEveryRun((states) => {
      for (const { deliveries, failedAt, status } of states) {
        const ended = status === "failed" || status === "bounced"
        if (ended) assert.isFalse(deliveries.some((delivery) => isOpen(delivery) || isAccepted(delivery)))
        assert.strictEqual(failedAt !== null, ended)
      }
    }))

  it("is sent or delivered exactly if a recipient has the message", () =>
    forEveryRun((states) => {
      for (const { deliveries, status } of states) {
        assert.strictEqual(deliveries.some(isAccepted), status === "sent" || status === "delivered")
      }
    }))

  it("counts retries and attempts, never below zero", () =>
    forEveryRun((states) => {
      for (const [before, next] of pairs(states)) {
        assert.isAtLeast(next.retryCount, before.retryCount)
        assert.isAtMost(next.retryCount, before.retryCount + 1)
        assert.isAtLeast(next.deliveryAttempts, 0)
      }
    }))
})

describe("A message that has ended", () => {
  it("keeps its status when a late worker leases it", () =>
    FastCheck.assert(
      FastCheck.property(anyRun, FastCheck.boolean(), (run, isRepeat) => {
        const last = statesOf(run).at(-1) as MessageState
        if (last.deliveries.some(isOpen)) return
        const late = taken(last, isRepeat, after(1_000))
        assert.strictEqual(late.status, last.status)
        assert.deepStrictEqual(late.statusHistory, last.statusHistory)
      })
    ))

  it("is not attempted again after any outcome", () =>
    FastCheck.assert(
      FastCheck.property(anyRun, anyOutcome, (run, outcome) => {
        const last = statesOf(run).at(-1) as MessageState
        if (!last.deliveries.some(isOpen)) assert.isNull(nextAttemptAt(last, outcome, after(1_000)))
      })
    ))

  it("throws on a transition that is not allowed", () => {
    const bounced = settled(leased([ada]), outcomeOf(repliesTo([ada], "refused", 550)), "dsn", after(2))
    const queued = settled(leased([ada]), DeliveryOutcome.Released(), "dsn", after(2))
    assert.throws(
      () => settled(queued, outcomeOf(repliesTo([ada], "refused", 550)), "dsn", after(3)),
      /queued to bounced/
    )
    assert.throws(() => settled(bounced, outcomeOf(repliesTo([ada], "refused", 550)), "dsn", after(3)))
  })
})

describe("A message that was just accepted", () => {
  it("is pending for all recipients", () => {
    const state = newState()
    assert.strictEqual(state.status, "pending")
    assert.deepStrictEqual(deliveryStatuses(state), ["pending", "pending", "pending"])
    assert.deepStrictEqual(state.statusHistory, [{ status: "pending", timestamp: DateTime.formatIso(start) }])
  })

  it("is scheduled until its time", () => {
    const state = accepted([ada], 8, true, start)
    assert.strictEqual(state.status, "scheduled")
    assert.deepStrictEqual(statusesOf(due(state, after(9))), ["scheduled", "pending"])
  })

  it("is unchanged at its scheduled time if it is no longer scheduled", () => {
    const waiting = settled(leased(), DeliveryOutcome.Outage({ response: "down", retryAt }), "dsn", after(2))
    assert.strictEqual(due(waiting, after(9)), waiting)
  })
})

describe("A leased message", () => {
  it("counts the attempt when it is leased", () => {
    const state = leased()
    assert.strictEqual(state.deliveryAttempts, 1)
    assert.deepStrictEqual(state.lastAttemptAt, after(1))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing"])
  })

  it("counts once if it is leased again before it was begun", () => {
    const state = leased()
    assert.strictEqual(taken(state, false, after(2)), state)
  })

  it("counts once if it is marked twice with the time of one lease", () => {
    const again = taken(leased(), true, after(2))
    assert.strictEqual(taken(again, true, after(2)), again)
  })

  it("counts again if it is queued and leased within one millisecond", () => {
    const queued = settled(leased(), DeliveryOutcome.Outage({ response: "down", retryAt }), "dsn", after(1))
    const again = taken(queued, false, after(1))
    assert.deepStrictEqual(statusesOf(again), ["pending", "processing", "queued", "processing"])
    assert.strictEqual(again.deliveryAttempts, 2)
  })

  it("counts an attempt that was lost before it was marked", () => {
    const state = taken(accepted(everyone, 8, false, after(0)), true, after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing"])
    assert.deepStrictEqual(state.statusHistory.at(-1)?.metadata, { possibleDuplicate: true })
    assert.strictEqual(state.deliveryAttempts, 2)
  })

  it("records a repeated attempt for the remaining recipients and keeps its status", () => {
    const replies = [...repliesTo([ada], "accepted", 250), ...repliesTo([bob, cyd], "deferred", 451)]
    const partly = settled(leased(), outcomeOf(replies, retryAt), "dsn", after(2))
    const again = taken(taken(partly, false, after(3)), true, after(4))
    assert.deepStrictEqual(statusesOf(again), ["pending", "processing", "sent", "sent"])
    assert.deepStrictEqual(again.statusHistory.at(-1)?.metadata, { possibleDuplicate: true })
    assert.deepStrictEqual(again.sentAt, after(2))
    assert.strictEqual(again.deliveryAttempts, 3)
  })

  it("records a possible duplicate if its lease has expired", () => {
    const state = taken(leased(), true, after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "processing"])
    assert.deepStrictEqual(state.statusHistory.at(-1)?.metadata, { possibleDuplicate: true })
    assert.strictEqual(state.deliveryAttempts, 2)
  })
})

describe("An attempt with replies", () => {
  it("is sent if all recipients are accepted and notifications follow", () => {
    const state = settled(leased(), outcomeOf(repliesTo(everyone, "accepted", 250)), "dsn", after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "sent"])
    assert.deepStrictEqual(deliveryStatuses(state), ["sent", "sent", "sent"])
    assert.deepStrictEqual(state.sentAt, after(2))
    assert.isNull(state.deliveredAt)
    assert.isNull(state.errorDetails)
    assert.strictEqual(state.providerMessageId, "q1")
  })

  it("is delivered if acceptance is the confirmation", () => {
    const state = settled(leased(), outcomeOf(repliesTo(everyone, "accepted", 250)), "accept", after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "sent", "delivered"])
    assert.deepStrictEqual(deliveryStatuses(state), ["delivered", "delivered", "delivered"])
    assert.deepStrictEqual([state.sentAt, state.deliveredAt], [after(2), after(2)])
  })

  it("is sent if some recipients are rejected", () => {
    const replies = [...repliesTo([ada], "accepted", 250), ...repliesTo([bob, cyd], "refused", 550)]
    const outcome = outcomeOf(replies)
    const state = settled(leased(), outcome, "dsn", after(2))
    assert.strictEqual(state.status, "sent")
    assert.deepStrictEqual(deliveryStatuses(state), ["sent", "bounced", "bounced"])
    assert.strictEqual(state.deliveries[1]?.smtpCode, 550)
    assert.strictEqual(state.errorDetails?.code, "recipient_refused")
    assert.isNull(nextAttemptAt(state, outcome, after(2)))
  })

  it("is sent while deferred recipients are retried", () => {
    const outcome = outcomeOf(
      [...repliesTo([ada], "accepted", 250), ...repliesTo([bob], "deferred", 450), ...repliesTo([cyd], "refused", 550)],
      retryAt
    )
    const first = settled(leased(), outcome, "dsn", after(2))
    assert.strictEqual(first.status, "sent")
    assert.deepStrictEqual(deliveryStatuses(first), ["sent", "deferred", "bounced"])
    assert.strictEqual(first.retryCount, 1)
    assert.deepStrictEqual(nextAttemptAt(first, outcome, after(2)), retryAt)

    const second = settled(
      taken(first, false, after(60)),
      outcomeOf(repliesTo([bob], "deferred", 450)),
      "dsn",
      after(61)
    )
    assert.strictEqual(second.status, "sent")
    assert.deepStrictEqual(deliveryStatuses(second), ["sent", "failed", "bounced"])
  })

  it("bounces if all recipients are rejected", () => {
    const state = settled(leased(), outcomeOf(repliesTo(everyone, "refused", 550)), "dsn", after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "bounced"])
    assert.deepStrictEqual(deliveryStatuses(state), ["bounced", "bounced", "bounced"])
    assert.deepStrictEqual(state.failedAt, after(2))
    assert.deepStrictEqual(state.errorDetails?.details, { smtpCode: 550, reason: "unknown" })
    assert.isFalse(state.errorDetails?.retryable)
  })

  it("is queued and counts a retry if all recipients are deferred", () => {
    const outcome = outcomeOf(repliesTo(everyone, "deferred", 450), retryAt)
    const state = settled(leased(), outcome, "dsn", after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "queued"])
    assert.strictEqual(state.retryCount, 1)
    assert.isTrue(state.errorDetails?.retryable)
    assert.strictEqual(state.errorDetails?.nextRetryAt, DateTime.formatIso(retryAt))
    assert.deepStrictEqual(nextAttemptAt(state, outcome, after(2)), retryAt)
  })

  it("fails if no retry is left", () => {
    const outcome = outcomeOf(repliesTo(everyone, "deferred", 450))
    const state = settled(leased(), outcome, "dsn", after(2))
    assert.strictEqual(state.status, "failed")
    assert.strictEqual(state.errorDetails?.code, "retries_exhausted")
    assert.strictEqual(state.statusHistory.at(-1)?.reason, "retries_exhausted")
    assert.deepStrictEqual(deliveryStatuses(state), ["failed", "failed", "failed"])
    assert.isNull(nextAttemptAt(state, outcome, after(2)))
  })

  it("ignores replies about other recipients", () => {
    const state = settled(leased([ada]), outcomeOf(repliesTo([ada, bob], "accepted", 250)), "dsn", after(2))
    assert.deepStrictEqual(
      state.deliveries.map(({ recipient }) => recipient),
      [ada]
    )
  })
})

describe("An attempt without replies for recipients", () => {
  it("fails if the message is rejected", () => {
    const state = settled(leased(), DeliveryOutcome.Refused({ smtpCode: 554, response: "spam" }), "dsn", after(2))
    assert.strictEqual(state.status, "failed")
    assert.strictEqual(state.errorDetails?.code, "message_refused")
    assert.strictEqual(state.lastError, "spam")
    assert.deepStrictEqual(deliveryStatuses(state), ["failed", "failed", "failed"])
    assert.deepStrictEqual(state.errorDetails?.details, { smtpCode: 554, reason: "spam" })
    assert.strictEqual(state.deliveries[0]?.reason, "spam")
  })

  it("bounces if the message is rejected because of its only recipient", () => {
    const outcome = DeliveryOutcome.Refused({ smtpCode: 550, response: "550 5.1.1 No such user" })
    const state = settled(leased([ada]), outcome, "dsn", after(2))
    assert.strictEqual(state.status, "bounced")
    assert.deepStrictEqual(state.deliveries, [
      {
        recipient: ada,
        status: "bounced",
        smtpCode: 550,
        response: "550 5.1.1 No such user",
        reason: "user_unknown",
        at: DateTime.formatIso(after(2))
      }
    ])
    assert.strictEqual(settled(leased(), outcome, "dsn", after(2)).status, "failed")
    const spam = DeliveryOutcome.Refused({ smtpCode: 550, response: "550 5.7.1 spam" })
    assert.strictEqual(settled(leased([ada]), spam, "dsn", after(2)).status, "failed")
  })

  it("is queued and counts a retry if the message is deferred", () => {
    const outcome = DeliveryOutcome.Deferred({ code: "timeout", smtpCode: null, response: "slow", retryAt })
    const state = settled(leased(), outcome, "dsn", after(2))
    assert.strictEqual(state.status, "queued")
    assert.strictEqual(state.retryCount, 1)
    assert.strictEqual(state.errorDetails?.code, "timeout")
    assert.deepStrictEqual(nextAttemptAt(state, outcome, after(2)), retryAt)
  })

  it("fails if the message is deferred and no retry is left", () => {
    const outcome = DeliveryOutcome.Deferred({ code: "timeout", smtpCode: 451, response: "slow", retryAt: null })
    const state = settled(leased(), outcome, "dsn", after(2))
    assert.strictEqual(state.status, "failed")
    assert.strictEqual(state.errorDetails?.code, "retries_exhausted")
    assert.deepStrictEqual(state.errorDetails?.details, { smtpCode: 451, reason: "unknown" })
  })

  it("counts no retry if the relay is unavailable", () => {
    const outcome = DeliveryOutcome.Outage({ response: "connection refused", retryAt })
    const state = settled(leased(), outcome, "dsn", after(2))
    assert.strictEqual(state.status, "queued")
    assert.strictEqual(state.retryCount, 0)
    assert.strictEqual(state.deliveryAttempts, 1)
    assert.strictEqual(state.errorDetails?.code, "relay_unavailable")
    assert.deepStrictEqual(nextAttemptAt(state, outcome, after(2)), retryAt)
  })

  it("fails if the message has expired", () => {
    const state = settled(leased(), DeliveryOutcome.Expired(), "dsn", after(2))
    assert.strictEqual(state.status, "failed")
    assert.strictEqual(state.errorDetails?.code, "expired")
    assert.strictEqual(state.lastError, "Not delivered within 72 hours")
  })

  it("fails after too many expired leases", () => {
    const state = settled(leased(), DeliveryOutcome.Poisoned({ leaseExpiries: 3 }), "dsn", after(2))
    assert.strictEqual(state.status, "failed")
    assert.strictEqual(state.errorDetails?.code, "poisoned")
  })

  it("counts no attempt if it is released, and is ready at once", () => {
    const outcome = DeliveryOutcome.Released()
    const state = settled(leased(), outcome, "dsn", after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "queued"])
    assert.strictEqual(state.deliveryAttempts, 0)
    assert.strictEqual(state.retryCount, 0)
    assert.isNull(state.errorDetails)
    assert.deepStrictEqual(nextAttemptAt(state, outcome, after(2)), after(2))
  })
})

describe("The maximum wait", () => {
  const end = after(72 * 3600)

  it("ends after 72 hours, to the millisecond", () => {
    assert.deepStrictEqual(expiresAt(start), end)
    assert.isFalse(isExpired(start, DateTime.subtract(end, { millis: 1 })))
    assert.isTrue(isExpired(start, end))
  })

  it("limits the retry time and keeps other outcomes", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 0, max: 80 * 3600 }), anyOutcome, (seconds, outcome) => {
        const at = after(seconds)
        if (!("retryAt" in outcome) || outcome.retryAt === null)
          return assert.deepStrictEqual(withinQueueLifetime(outcome, start), outcome)
        const given = withinQueueLifetime({ ...outcome, retryAt: at }, start)
        assert.deepStrictEqual(given, { ...outcome, retryAt: DateTime.min(at, end) })
      })
    ))

  it("limits the next retry time in the error details", () => {
    const late = DeliveryOutcome.Deferred({
      code: "deferred",
      smtpCode: 451,
      response: "later",
      retryAt: after(79 * 3600)
    })
    const outcome = withinQueueLifetime(late, start)
    const now = after(71 * 3600)
    const state = settled(leased(), outcome, "dsn", now)
    assert.strictEqual(state.errorDetails?.nextRetryAt, DateTime.formatIso(end))
    assert.deepStrictEqual(nextAttemptAt(state, outcome, now), end)
  })
})

describe("A cancelled message", () => {
  it("fails for all recipients", () => {
    const state = cancelled(accepted(everyone, 8, true, start), after(1))
    assert.deepStrictEqual(statusesOf(state), ["scheduled", "failed"])
    assert.strictEqual(state.errorDetails?.code, "cancelled")
    assert.deepStrictEqual(deliveryStatuses(state), ["failed", "failed", "failed"])
  })
})

describe("A complaint", () => {
  const sent = settled(leased([ada, bob]), outcomeOf(repliesTo([ada, bob], "accepted", 250)), "dsn", after(2))

  it("marks message and recipient as complained", () => {
    const state = complained(sent, ada, after(3))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "sent", "complained"])
    assert.deepStrictEqual(deliveryStatuses(state), ["complained", "sent"])
  })

  it("changes nothing if it is repeated", () => {
    const once = complained(sent, ada, after(3))
    assert.deepStrictEqual(complained(once, ada, after(4)), once)
  })

  it("changes nothing if the recipient has not received the message", () => {
    assert.strictEqual(complained(sent, cyd, after(3)), sent)
    assert.deepStrictEqual(complained(leased([ada]), ada, after(3)), leased([ada]))
  })
})

describe("A text message", () => {
  const attempted = (replies: ReadonlyArray<RecipientReply>, again: DateTime.Utc | null = null) =>
    settled(leased([ada, bob]), { ...outcomeOf(replies, again), provider: "smpp" }, "receipt", after(2))

  it("is sent until a receipt confirms it, with the provider's ids", () => {
    const state = attempted([
      { recipient: ada, verdict: "accepted", providerMessageIds: ["7", "8"] },
      { recipient: bob, verdict: "accepted", providerMessageIds: ["9"] }
    ])
    assert.deepStrictEqual([state.status, state.provider], ["sent", "smpp"])
    assert.deepStrictEqual(
      state.deliveries.map(({ providerMessageId, status }) => [status, providerMessageId]),
      [
        ["sent", "7"],
        ["sent", "9"]
      ]
    )
  })

  it("fails, and does not bounce, if the provider refuses all recipients", () => {
    const refusal = {
      verdict: "refused",
      errorCode: "0x0000000B",
      reason: "user_unknown",
      response: "ESME_RINVDSTADR"
    } as const
    const state = attempted([
      { recipient: ada, ...refusal },
      { recipient: bob, ...refusal }
    ])
    assert.strictEqual(state.status, "failed")
    assert.deepInclude(state.errorDetails, { code: "recipient_refused", message: "ESME_RINVDSTADR" })
    assert.deepStrictEqual(state.errorDetails?.details, { errorCode: "0x0000000B", reason: "user_unknown" })
    assert.deepStrictEqual(
      state.deliveries.map(({ errorCode, reason, status }) => [status, errorCode, reason]),
      [
        ["failed", "0x0000000B", "user_unknown"],
        ["failed", "0x0000000B", "user_unknown"]
      ]
    )
  })
})
