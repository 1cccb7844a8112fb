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
  withinLongestWait
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

const answer = (replies: ReadonlyArray<RecipientReply>, again: DateTime.Utc | null = null) =>
  DeliveryOutcome.Answered({ replies, response: "250 queued", providerMessageId: "q1", retryAt: again })

const fresh = (recipients: ReadonlyArray<string> = everyone) => accepted(recipients, 8, false, start)
const held = (recipients?: ReadonlyArray<string>) => taken(fresh(recipients), false, after(1))

const deliveryStatuses = (state: MessageState) => state.deliveries.map(({ status }) => status)

const anyRetryAt = FastCheck.constantFrom(retryAt, null)

/** What the relay says of everyone who is still open: a verdict for each of the three. */
const anyAnswer = FastCheck.record({
  verdicts: FastCheck.tuple(
    ...everyone.map(() => FastCheck.constantFrom("accepted" as const, "deferred" as const, "refused" as const))
  ),
  again: anyRetryAt
}).map(
  ({ again, verdicts }) =>
    (open: ReadonlyArray<string>): DeliveryOutcome =>
      answer(
        everyone.flatMap((recipient, index) =>
          open.includes(recipient) ? [{ recipient, verdict: verdicts[index] ?? "accepted", smtpCode: 250 }] : []
        ),
        again
      )
)

const anyOther: FastCheck.Arbitrary<DeliveryOutcome> = FastCheck.oneof(
  FastCheck.constant(DeliveryOutcome.Refused({ smtpCode: 554, response: "no" })),
  anyRetryAt.map((again) =>
    DeliveryOutcome.Deferred({ code: "message_deferred", smtpCode: 451, response: "later", retryAt: again })
  ),
  FastCheck.constant(DeliveryOutcome.Outage({ response: "refused", retryAt })),
  FastCheck.constant(DeliveryOutcome.Expired()),
  FastCheck.constant(DeliveryOutcome.Poisoned({ takeovers: 3 })),
  FastCheck.constant(DeliveryOutcome.HandedBack())
)

/** One attempt: taken, perhaps taken over from workers that died, and settled. */
const anyAttempt = FastCheck.record({
  takeovers: FastCheck.nat(2),
  outcomeFor: FastCheck.oneof(
    { arbitrary: anyAnswer, weight: 3 },
    { arbitrary: anyOther.map((outcome) => () => outcome), weight: 2 }
  )
})

const anyRun = FastCheck.record({
  recipients: FastCheck.subarray(everyone, { minLength: 1 }),
  scheduled: FastCheck.boolean(),
  confirmation: FastCheck.constantFrom<Confirmation>("accept", "dsn"),
  attempts: FastCheck.array(anyAttempt, { maxLength: 12 })
})

type Run = typeof anyRun extends FastCheck.Arbitrary<infer A> ? A : never

/** Every state of a run: it is taken as long as somebody is still to be served. */
const statesOf = ({ attempts, confirmation, recipients, scheduled }: Run): ReadonlyArray<MessageState> => {
  const states = [accepted(recipients, 8, scheduled, start)]
  let seconds = 0
  let state = states[0] as MessageState
  const become = (next: MessageState) => {
    state = next
    states.push(next)
  }
  become(due(state, after(++seconds)))
  for (const { outcomeFor, takeovers } of attempts) {
    const open = state.deliveries.filter(isOpen).map(({ recipient }) => recipient)
    if (open.length === 0) break
    become(taken(state, false, after(++seconds)))
    for (let takeover = 0; takeover < takeovers; takeover++) become(taken(state, true, after(++seconds)))
    become(settled(state, outcomeFor(open), confirmation, after(++seconds)))
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

describe("any run of attempts", () => {
  it("makes only moves that are allowed", () =>
    forEveryRun((states) => {
      for (const [from, to] of pairs((states.at(-1) as MessageState).statusHistory)) {
        // A repeated attempt of a message that some recipients have is noted without a move.
        const isNote = from.status === to.status && to.metadata?.possibleDuplicate === true
        assert.isTrue(isNote || canMove(from.status, to.status), `${from.status} to ${to.status}`)
      }
    }))

  it("only adds to the history, whose last entry is the status", () =>
    forEveryRun((states) => {
      for (const [before, next] of pairs(states)) {
        assert.deepStrictEqual(next.statusHistory.slice(0, before.statusHistory.length), before.statusHistory)
      }
      for (const state of states) assert.strictEqual(state.statusHistory.at(-1)?.status, state.status)
    }))

  it("never opens a recipient again who has the message, or was refused", () =>
    forEveryRun((states) => {
      for (const [before, next] of pairs(states)) {
        before.deliveries.forEach((delivery, index) => {
          if (!isOpen(delivery)) assert.deepStrictEqual(next.deliveries[index], delivery)
        })
      }
    }))

  it("keeps its recipients and their order", () =>
    forEveryRun((states) => {
      const recipients = (state: MessageState) => state.deliveries.map(({ recipient }) => recipient)
      for (const state of states) assert.deepStrictEqual(recipients(state), recipients(states[0] as MessageState))
    }))

  it("leaves a final status never", () =>
    forEveryRun((states) => {
      for (const [before, next] of pairs(states)) {
        if (["failed", "bounced", "complained"].includes(before.status)) assert.strictEqual(next.status, before.status)
      }
    }))

  it("is failed or bounced only when nobody has the message and nobody is still to be served", () =>
    forEveryRun((states) => {
      for (const { deliveries, failedAt, status } of states) {
        const ended = status === "failed" || status === "bounced"
        if (ended) assert.isFalse(deliveries.some((delivery) => isOpen(delivery) || isAccepted(delivery)))
        assert.strictEqual(failedAt !== null, ended)
      }
    }))

  it("is sent or delivered exactly when somebody has the message", () =>
    forEveryRun((states) => {
      for (const { deliveries, status } of states) {
        assert.strictEqual(deliveries.some(isAccepted), status === "sent" || status === "delivered")
      }
    }))

  it("counts retries and attempts, and never below nought", () =>
    forEveryRun((states) => {
      for (const [before, next] of pairs(states)) {
        assert.isAtLeast(next.retryCount, before.retryCount)
        assert.isAtMost(next.retryCount, before.retryCount + 1)
        assert.isAtLeast(next.deliveryAttempts, 0)
      }
    }))
})

describe("what is over", () => {
  it("can be taken by a late worker without a change of its status", () =>
    FastCheck.assert(
      FastCheck.property(anyRun, FastCheck.boolean(), (run, takeover) => {
        const last = statesOf(run).at(-1) as MessageState
        if (last.deliveries.some(isOpen)) return
        const late = taken(last, takeover, after(1_000))
        assert.strictEqual(late.status, last.status)
        assert.deepStrictEqual(late.statusHistory, last.statusHistory)
      })
    ))

  it("is not attempted again, whatever the outcome says", () =>
    FastCheck.assert(
      FastCheck.property(anyRun, anyOther, (run, outcome) => {
        const last = statesOf(run).at(-1) as MessageState
        if (!last.deliveries.some(isOpen)) assert.isNull(nextAttemptAt(last, outcome, after(1_000)))
      })
    ))

  it("refuses a move that is not in the table as a defect", () => {
    const bounced = settled(held([ada]), answer(repliesTo([ada], "refused", 550)), "dsn", after(2))
    const queued = settled(held([ada]), DeliveryOutcome.HandedBack(), "dsn", after(2))
    assert.throws(() => settled(queued, answer(repliesTo([ada], "refused", 550)), "dsn", after(3)), /queued to bounced/)
    assert.throws(() => settled(bounced, answer(repliesTo([ada], "refused", 550)), "dsn", after(3)))
  })
})

describe("a message that has just been accepted", () => {
  it("is pending for everyone", () => {
    const state = fresh()
    assert.strictEqual(state.status, "pending")
    assert.deepStrictEqual(deliveryStatuses(state), ["pending", "pending", "pending"])
    assert.deepStrictEqual(state.statusHistory, [{ status: "pending", timestamp: DateTime.formatIso(start) }])
  })

  it("is scheduled until its time comes", () => {
    const state = accepted([ada], 8, true, start)
    assert.strictEqual(state.status, "scheduled")
    assert.deepStrictEqual(statusesOf(due(state, after(9))), ["scheduled", "pending"])
  })

  it("is left alone by its time once it is no longer scheduled", () => {
    const waiting = settled(held(), DeliveryOutcome.Outage({ response: "down", retryAt }), "dsn", after(2))
    assert.strictEqual(due(waiting, after(9)), waiting)
  })
})

describe("a message that was taken", () => {
  it("counts the attempt before any work is done", () => {
    const state = held()
    assert.strictEqual(state.deliveryAttempts, 1)
    assert.deepStrictEqual(state.lastAttemptAt, after(1))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing"])
  })

  it("comes back from a worker that did not begin it as it was, and counts once", () => {
    const state = held()
    assert.strictEqual(taken(state, false, after(2)), state)
  })

  it("notes a repeat of an attempt for the recipients who are left, and keeps its status", () => {
    const replies = [...repliesTo([ada], "accepted", 250), ...repliesTo([bob, cyd], "deferred", 451)]
    const partly = settled(held(), answer(replies, retryAt), "dsn", after(2))
    const again = taken(taken(partly, false, after(3)), true, after(4))
    assert.deepStrictEqual(statusesOf(again), ["pending", "processing", "sent", "sent"])
    assert.deepStrictEqual(again.statusHistory.at(-1)?.metadata, { possibleDuplicate: true })
    assert.deepStrictEqual(again.sentAt, after(2))
    assert.strictEqual(again.deliveryAttempts, 3)
  })

  it("says that it may have been sent twice when it was taken over", () => {
    const state = taken(held(), true, after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "processing"])
    assert.deepStrictEqual(state.statusHistory.at(-1)?.metadata, { possibleDuplicate: true })
    assert.strictEqual(state.deliveryAttempts, 2)
  })
})

describe("an answered attempt", () => {
  it("is sent when everyone was accepted and a notification will tell the rest", () => {
    const state = settled(held(), answer(repliesTo(everyone, "accepted", 250)), "dsn", after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "sent"])
    assert.deepStrictEqual(deliveryStatuses(state), ["sent", "sent", "sent"])
    assert.deepStrictEqual(state.sentAt, after(2))
    assert.isNull(state.deliveredAt)
    assert.isNull(state.errorDetails)
    assert.strictEqual(state.providerMessageId, "q1")
  })

  it("is sent, then delivered, when the relay is the final mailbox", () => {
    const state = settled(held(), answer(repliesTo(everyone, "accepted", 250)), "accept", after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "sent", "delivered"])
    assert.deepStrictEqual(deliveryStatuses(state), ["delivered", "delivered", "delivered"])
    assert.deepStrictEqual([state.sentAt, state.deliveredAt], [after(2), after(2)])
  })

  it("is sent when only some recipients were refused", () => {
    const replies = [...repliesTo([ada], "accepted", 250), ...repliesTo([bob, cyd], "refused", 550)]
    const outcome = answer(replies)
    const state = settled(held(), outcome, "dsn", after(2))
    assert.strictEqual(state.status, "sent")
    assert.deepStrictEqual(deliveryStatuses(state), ["sent", "bounced", "bounced"])
    assert.strictEqual(state.deliveries[1]?.smtpCode, 550)
    assert.strictEqual(state.errorDetails?.code, "recipient_refused")
    assert.isNull(nextAttemptAt(state, outcome, after(2)))
  })

  it("is sent while those who were put off are tried again", () => {
    const outcome = answer(
      [...repliesTo([ada], "accepted", 250), ...repliesTo([bob], "deferred", 450), ...repliesTo([cyd], "refused", 550)],
      retryAt
    )
    const first = settled(held(), outcome, "dsn", after(2))
    assert.strictEqual(first.status, "sent")
    assert.deepStrictEqual(deliveryStatuses(first), ["sent", "deferred", "bounced"])
    assert.strictEqual(first.retryCount, 1)
    assert.deepStrictEqual(nextAttemptAt(first, outcome, after(2)), retryAt)

    const second = settled(taken(first, false, after(60)), answer(repliesTo([bob], "deferred", 450)), "dsn", after(61))
    assert.strictEqual(second.status, "sent")
    assert.deepStrictEqual(deliveryStatuses(second), ["sent", "failed", "bounced"])
  })

  it("is bounced when everyone was refused", () => {
    const state = settled(held(), answer(repliesTo(everyone, "refused", 550)), "dsn", after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "bounced"])
    assert.deepStrictEqual(deliveryStatuses(state), ["bounced", "bounced", "bounced"])
    assert.deepStrictEqual(state.failedAt, after(2))
    assert.deepStrictEqual(state.errorDetails?.details, { smtpCode: 550 })
    assert.isFalse(state.errorDetails?.retryable)
  })

  it("is queued again, and spends a retry, when everyone was put off", () => {
    const outcome = answer(repliesTo(everyone, "deferred", 450), retryAt)
    const state = settled(held(), outcome, "dsn", after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "queued"])
    assert.strictEqual(state.retryCount, 1)
    assert.isTrue(state.errorDetails?.retryable)
    assert.strictEqual(state.errorDetails?.nextRetryAt, DateTime.formatIso(retryAt))
    assert.deepStrictEqual(nextAttemptAt(state, outcome, after(2)), retryAt)
  })

  it("fails when its retries are used up", () => {
    const outcome = answer(repliesTo(everyone, "deferred", 450))
    const state = settled(held(), outcome, "dsn", after(2))
    assert.strictEqual(state.status, "failed")
    assert.strictEqual(state.errorDetails?.code, "retries_exhausted")
    assert.strictEqual(state.statusHistory.at(-1)?.reason, "retries_exhausted")
    assert.deepStrictEqual(deliveryStatuses(state), ["failed", "failed", "failed"])
    assert.isNull(nextAttemptAt(state, outcome, after(2)))
  })

  it("does not touch recipients whom the attempt was not for", () => {
    const state = settled(held([ada]), answer(repliesTo([ada, bob], "accepted", 250)), "dsn", after(2))
    assert.deepStrictEqual(
      state.deliveries.map(({ recipient }) => recipient),
      [ada]
    )
  })
})

describe("an attempt of the message as a whole", () => {
  it("fails when the message was refused", () => {
    const state = settled(held(), DeliveryOutcome.Refused({ smtpCode: 554, response: "spam" }), "dsn", after(2))
    assert.strictEqual(state.status, "failed")
    assert.strictEqual(state.errorDetails?.code, "message_refused")
    assert.strictEqual(state.lastError, "spam")
    assert.deepStrictEqual(deliveryStatuses(state), ["failed", "failed", "failed"])
  })

  it("is queued again, and spends a retry, when the message was put off", () => {
    const outcome = DeliveryOutcome.Deferred({ code: "timeout", smtpCode: null, response: "slow", retryAt })
    const state = settled(held(), outcome, "dsn", after(2))
    assert.strictEqual(state.status, "queued")
    assert.strictEqual(state.retryCount, 1)
    assert.strictEqual(state.errorDetails?.code, "timeout")
    assert.deepStrictEqual(nextAttemptAt(state, outcome, after(2)), retryAt)
  })

  it("fails when the message was put off and no retry is left", () => {
    const outcome = DeliveryOutcome.Deferred({ code: "timeout", smtpCode: 451, response: "slow", retryAt: null })
    const state = settled(held(), outcome, "dsn", after(2))
    assert.strictEqual(state.status, "failed")
    assert.strictEqual(state.errorDetails?.code, "retries_exhausted")
    assert.deepStrictEqual(state.errorDetails?.details, { smtpCode: 451 })
  })

  it("spends no retry when the relay can't be used at all", () => {
    const outcome = DeliveryOutcome.Outage({ response: "connection refused", retryAt })
    const state = settled(held(), outcome, "dsn", after(2))
    assert.strictEqual(state.status, "queued")
    assert.strictEqual(state.retryCount, 0)
    assert.strictEqual(state.deliveryAttempts, 1)
    assert.strictEqual(state.errorDetails?.code, "relay_unavailable")
    assert.deepStrictEqual(nextAttemptAt(state, outcome, after(2)), retryAt)
  })

  it("fails when it has waited too long", () => {
    const state = settled(held(), DeliveryOutcome.Expired(), "dsn", after(2))
    assert.strictEqual(state.status, "failed")
    assert.strictEqual(state.errorDetails?.code, "expired")
    assert.strictEqual(state.lastError, "Not delivered within 72 hours")
  })

  it("fails when too many workers were lost under it", () => {
    const state = settled(held(), DeliveryOutcome.Poisoned({ takeovers: 3 }), "dsn", after(2))
    assert.strictEqual(state.status, "failed")
    assert.strictEqual(state.errorDetails?.code, "poisoned")
  })

  it("counts no attempt when it was handed back, and is ready at once", () => {
    const outcome = DeliveryOutcome.HandedBack()
    const state = settled(held(), outcome, "dsn", after(2))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "queued"])
    assert.strictEqual(state.deliveryAttempts, 0)
    assert.strictEqual(state.retryCount, 0)
    assert.isNull(state.errorDetails)
    assert.deepStrictEqual(nextAttemptAt(state, outcome, after(2)), after(2))
  })
})

describe("the longest wait", () => {
  const end = after(72 * 3600)

  it("is over after 72 hours, to the millisecond", () => {
    assert.deepStrictEqual(expiresAt(start), end)
    assert.isFalse(isExpired(start, DateTime.subtract(end, { millis: 1 })))
    assert.isTrue(isExpired(start, end))
  })

  it("puts no try off past its end, and leaves every other outcome as it is", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 0, max: 80 * 3600 }), anyOther, (seconds, outcome) => {
        const at = after(seconds)
        if (!("retryAt" in outcome) || outcome.retryAt === null)
          return assert.deepStrictEqual(withinLongestWait(outcome, start), outcome)
        const given = withinLongestWait({ ...outcome, retryAt: at }, start)
        assert.deepStrictEqual(given, { ...outcome, retryAt: DateTime.min(at, end) })
      })
    ))

  it("is what the message tells as its next try", () => {
    const late = DeliveryOutcome.Deferred({
      code: "deferred",
      smtpCode: 451,
      response: "later",
      retryAt: after(79 * 3600)
    })
    const outcome = withinLongestWait(late, start)
    const now = after(71 * 3600)
    const state = settled(held(), outcome, "dsn", now)
    assert.strictEqual(state.errorDetails?.nextRetryAt, DateTime.formatIso(end))
    assert.deepStrictEqual(nextAttemptAt(state, outcome, now), end)
  })
})

describe("a caller who takes a message back", () => {
  it("ends it as failed for everyone", () => {
    const state = cancelled(accepted(everyone, 8, true, start), after(1))
    assert.deepStrictEqual(statusesOf(state), ["scheduled", "failed"])
    assert.strictEqual(state.errorDetails?.code, "cancelled")
    assert.deepStrictEqual(deliveryStatuses(state), ["failed", "failed", "failed"])
  })
})

describe("a recipient who complains", () => {
  const sent = settled(held([ada, bob]), answer(repliesTo([ada, bob], "accepted", 250)), "dsn", after(2))

  it("makes the message complained", () => {
    const state = complained(sent, ada, after(3))
    assert.deepStrictEqual(statusesOf(state), ["pending", "processing", "sent", "complained"])
    assert.deepStrictEqual(deliveryStatuses(state), ["complained", "sent"])
  })

  it("changes nothing when they say so twice", () => {
    const once = complained(sent, ada, after(3))
    assert.deepStrictEqual(complained(once, ada, after(4)), once)
  })

  it("changes nothing when they never got the message", () => {
    assert.strictEqual(complained(sent, cyd, after(3)), sent)
    assert.deepStrictEqual(complained(held([ada]), ada, after(3)), held([ada]))
  })
})
