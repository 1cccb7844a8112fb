import { applyReport } from "@switchboard/domain/email/feedback/ApplyReport"
import type { DeliveryAction, ReportedRecipient } from "@switchboard/domain/email/feedback/DeliveryReport"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { accepted, complained, settled, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { DateTime, Duration, Option } from "effect"
import { assert, describe, it } from "vitest"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const after = (seconds: number) => DateTime.addDuration(start, Duration.seconds(seconds))
const [ada, bob] = ["Ada@example.com", "bob@example.com"]

const of = (action: DeliveryAction, ...addresses: ReadonlyArray<string>): ReportedRecipient => ({
  addresses,
  action,
  smtpCode: 550,
  enhancedCode: "5.1.1",
  response: "550 5.1.1 no",
  reason: "user_unknown"
})

const outcomeOf = (verdicts: Readonly<Record<string, "accepted" | "deferred" | "refused">>, retryAt = after(60)) =>
  DeliveryOutcome.Replied({
    replies: Object.entries(verdicts).map(([recipient, verdict]) => ({ recipient, verdict })),
    response: "250 queued",
    providerMessageId: null,
    retryAt
  })

const sendWith = (verdicts: Readonly<Record<string, "accepted" | "deferred" | "refused">>) =>
  settled(
    taken(accepted(Object.keys(verdicts), 8, false, start), false, after(1)),
    outcomeOf(verdicts),
    "dsn",
    after(2)
  )
const toBoth = sendWith({ [ada]: "accepted", [bob]: "accepted" })
const toAda = sendWith({ [ada]: "accepted" })

const applyTo = (state: MessageState, ...report: ReadonlyArray<ReportedRecipient>) =>
  Option.getOrThrow(applyReport(state, report, after(3)))
const statusesOf = ({ deliveries, status }: MessageState) => [status, ...deliveries.map((one) => one.status)].join(" ")

describe("A failure after acceptance", () => {
  it("bounces the recipient, and the message once no recipient has it", () => {
    const once = applyTo(toBoth, of("failed", "ada@EXAMPLE.com"))
    assert.strictEqual(statusesOf(once), "sent bounced sent")
    assert.deepStrictEqual(once.deliveries[0], {
      recipient: ada,
      status: "bounced",
      smtpCode: 550,
      response: "550 5.1.1 no",
      reason: "user_unknown",
      at: DateTime.formatIso(after(3))
    })
    const twice = applyTo(once, of("failed", bob))
    assert.strictEqual(statusesOf(twice), "bounced bounced bounced")
    assert.deepStrictEqual(twice.failedAt, after(3))
    assert.strictEqual(twice.lastError, "550 5.1.1 no")
    assert.deepStrictEqual(twice.statusHistory.at(-1), {
      status: "bounced",
      timestamp: DateTime.formatIso(after(3)),
      reason: "delivery_failed",
      metadata: { recipient: bob, smtpCode: 550, enhancedCode: "5.1.1", reason: "user_unknown", class: "permanent" }
    })
  })

  it("can cover all recipients in one report, and can follow a delivery confirmation", () => {
    assert.strictEqual(statusesOf(applyTo(toBoth, of("failed", ada), of("failed", bob))), "bounced bounced bounced")
    assert.strictEqual(statusesOf(applyTo(toAda, of("delivered", ada), of("failed", ada))), "bounced bounced")
  })

  it("is transient if a later relay gave up after a temporary error", () => {
    const report = { ...of("failed", ada), smtpCode: 451, enhancedCode: "4.4.7" }
    assert.strictEqual(applyTo(toAda, report).statusHistory.at(-1)?.metadata?.class, "transient")
  })

  it("keeps the message open for deferred recipients and ends with their outcome", () => {
    const waiting = applyTo(sendWith({ [ada]: "accepted", [bob]: "deferred" }), of("failed", ada))
    assert.strictEqual(statusesOf(waiting), "sent bounced deferred")
    const again = taken(waiting, false, after(60))
    assert.strictEqual(
      statusesOf(settled(again, outcomeOf({ [bob]: "accepted" }), "accept", after(61))),
      "delivered bounced delivered"
    )
    assert.strictEqual(
      statusesOf(settled(again, outcomeOf({ [bob]: "refused" }), "dsn", after(61))),
      "bounced bounced bounced"
    )
    assert.strictEqual(
      statusesOf(settled(again, DeliveryOutcome.Expired(), "dsn", after(61))),
      "bounced bounced failed"
    )
  })
})

describe("A delivery confirmation", () => {
  it("marks the message as delivered with the first recipient", () => {
    const once = applyTo(toBoth, of("delivered", ada))
    assert.strictEqual(statusesOf(once), "delivered delivered sent")
    assert.deepStrictEqual(once.deliveredAt, after(3))
    const twice = applyTo(once, of("delivered", bob))
    assert.strictEqual(statusesOf(twice), "delivered delivered delivered")
    assert.strictEqual(twice.statusHistory.length, once.statusHistory.length)
  })

  it("is also a report that the next system accepted the message and reports no more", () => {
    for (const action of ["relayed", "expanded"] as const) {
      const report = { ...of(action, ada), smtpCode: 250, enhancedCode: "2.0.0", response: "250 2.0.0 queued" }
      const confirmed = applyTo(toAda, report)
      assert.strictEqual(statusesOf(confirmed), "delivered delivered")
      assert.deepStrictEqual(confirmed.statusHistory.at(-1), {
        status: "delivered",
        timestamp: DateTime.formatIso(after(3)),
        reason: action,
        metadata: { recipient: ada, smtpCode: 250, enhancedCode: "2.0.0", response: "250 2.0.0 queued" }
      })
      assert.strictEqual(applyTo(confirmed, of("delivered", ada)), confirmed)
      assert.strictEqual(statusesOf(applyTo(confirmed, of("failed", ada))), "bounced bounced")
      assert.strictEqual(statusesOf(applyTo(applyTo(toAda, of("failed", ada)), of(action, ada))), "bounced bounced")
    }
  })
})

describe("A report about a recipient", () => {
  it("applies to the only recipient, regardless of the reported address", () => {
    assert.strictEqual(statusesOf(applyTo(toAda, of("failed", "ada.l@elsewhere.example"))), "bounced bounced")
    assert.strictEqual(statusesOf(applyTo(toAda, of("failed"))), "bounced bounced")
  })

  it("applies to the first known address, also as A-labels", () => {
    assert.strictEqual(statusesOf(applyTo(toBoth, of("failed", "x@elsewhere.example", bob, ada))), "sent sent bounced")
    const idn = sendWith({ "ada@xn--bcher-kva.example": "accepted", [bob]: "accepted" })
    assert.strictEqual(statusesOf(applyTo(idn, of("failed", "ADA@bücher.example"))), "sent bounced sent")
  })

  it("is ignored for an unknown recipient or a delay", () => {
    for (const action of ["failed", "delivered", "relayed", "expanded"] as const) {
      assert.strictEqual(applyTo(toBoth, of(action, "eve@example.com")), toBoth)
    }
    assert.strictEqual(applyTo(toAda, of("delayed", ada)), toAda)
  })

  it("is ignored if it is repeated or follows a final status", () => {
    const bounced = applyTo(toAda, of("failed", ada))
    assert.strictEqual(applyTo(bounced, of("failed", ada)), bounced)
    assert.strictEqual(applyTo(bounced, of("delivered", ada)), bounced)
    const delivered = applyTo(toAda, of("delivered", ada))
    assert.strictEqual(applyTo(delivered, of("delivered", ada)), delivered)
    const withComplaint = complained(toAda, ada, after(3))
    assert.strictEqual(applyTo(withComplaint, of("failed", ada)), withComplaint)
    assert.strictEqual(applyTo(withComplaint, of("delivered", ada)), withComplaint)
    const refused = sendWith({ [ada]: "accepted", [bob]: "refused" })
    assert.strictEqual(applyTo(refused, of("delivered", bob)), refused)
  })

  it("is not applied before the message is sent", () => {
    const states = [
      accepted([ada], 8, false, start),
      taken(accepted([ada], 8, false, start), false, start),
      sendWith({ [ada]: "deferred" })
    ]
    for (const state of states) {
      for (const action of ["failed", "delivered", "relayed"] as const) {
        assert.isTrue(Option.isNone(applyReport(state, [of(action, ada)], after(3))), statusesOf(state))
      }
      assert.strictEqual(applyTo(state, of("delayed", ada)), state)
    }
    const partly = sendWith({ [ada]: "accepted", [bob]: "deferred" })
    assert.isTrue(Option.isNone(applyReport(partly, [of("failed", ada), of("failed", bob)], after(3))))
  })
})
