import type { DeliveryAction, ReportedRecipient } from "@switchboard/domain/email/feedback/DeliveryReport"
import { withReport } from "@switchboard/domain/email/feedback/WithReport"
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
  response: "550 5.1.1 no"
})

const answer = (verdicts: Readonly<Record<string, "accepted" | "deferred" | "refused">>, retryAt = after(60)) =>
  DeliveryOutcome.Answered({
    replies: Object.entries(verdicts).map(([recipient, verdict]) => ({ recipient, verdict })),
    response: "250 queued",
    providerMessageId: null,
    retryAt
  })

const sentTo = (verdicts: Readonly<Record<string, "accepted" | "deferred" | "refused">>) =>
  settled(taken(accepted(Object.keys(verdicts), 8, false, start), false, after(1)), answer(verdicts), "dsn", after(2))
const toBoth = sentTo({ [ada]: "accepted", [bob]: "accepted" })
const toAda = sentTo({ [ada]: "accepted" })

const told = (state: MessageState, ...report: ReadonlyArray<ReportedRecipient>) =>
  Option.getOrThrow(withReport(state, report, after(3)))
const standing = ({ deliveries, status }: MessageState) => [status, ...deliveries.map((one) => one.status)].join(" ")

describe("A failure after acceptance", () => {
  it("is that recipient's alone, until nobody is left who has the message", () => {
    const once = told(toBoth, of("failed", "ada@EXAMPLE.com"))
    assert.strictEqual(standing(once), "sent bounced sent")
    assert.deepStrictEqual(once.deliveries[0], {
      recipient: ada,
      status: "bounced",
      smtpCode: 550,
      response: "550 5.1.1 no",
      at: DateTime.formatIso(after(3))
    })
    const twice = told(once, of("failed", bob))
    assert.strictEqual(standing(twice), "bounced bounced bounced")
    assert.deepStrictEqual(twice.failedAt, after(3))
    assert.strictEqual(twice.lastError, "550 5.1.1 no")
    assert.deepStrictEqual(twice.statusHistory.at(-1), {
      status: "bounced",
      timestamp: DateTime.formatIso(after(3)),
      reason: "delivery_failed",
      metadata: { recipient: bob, smtpCode: 550, enhancedCode: "5.1.1", class: "permanent" }
    })
  })

  it("may tell of all at once, and comes after a confirmation too", () => {
    assert.strictEqual(standing(told(toBoth, of("failed", ada), of("failed", bob))), "bounced bounced bounced")
    assert.strictEqual(standing(told(toAda, of("delivered", ada), of("failed", ada))), "bounced bounced")
  })

  it("is for now, if whoever tried longer gave up", () => {
    const news = { ...of("failed", ada), smtpCode: 451, enhancedCode: "4.4.7" }
    assert.strictEqual(told(toAda, news).statusHistory.at(-1)?.metadata?.class, "transient")
  })

  it("leaves the message to those who may still get it, and ends with them", () => {
    const waiting = told(sentTo({ [ada]: "accepted", [bob]: "deferred" }), of("failed", ada))
    assert.strictEqual(standing(waiting), "sent bounced deferred")
    const again = taken(waiting, false, after(60))
    assert.strictEqual(
      standing(settled(again, answer({ [bob]: "accepted" }), "accept", after(61))),
      "delivered bounced delivered"
    )
    assert.strictEqual(
      standing(settled(again, answer({ [bob]: "refused" }), "dsn", after(61))),
      "bounced bounced bounced"
    )
    assert.strictEqual(standing(settled(again, DeliveryOutcome.Expired(), "dsn", after(61))), "bounced bounced failed")
  })
})

describe("A confirmation", () => {
  it("is the message's with the first recipient", () => {
    const once = told(toBoth, of("delivered", ada))
    assert.strictEqual(standing(once), "delivered delivered sent")
    assert.deepStrictEqual(once.deliveredAt, after(3))
    const twice = told(once, of("delivered", bob))
    assert.strictEqual(standing(twice), "delivered delivered delivered")
    assert.strictEqual(twice.statusHistory.length, once.statusHistory.length)
  })

  it("is also that the next system took the copy and reports no more", () => {
    for (const action of ["relayed", "expanded"] as const) {
      const news = { ...of(action, ada), smtpCode: 250, enhancedCode: "2.0.0", response: "250 2.0.0 queued" }
      const confirmed = told(toAda, news)
      assert.strictEqual(standing(confirmed), "delivered delivered")
      assert.deepStrictEqual(confirmed.statusHistory.at(-1), {
        status: "delivered",
        timestamp: DateTime.formatIso(after(3)),
        reason: action,
        metadata: { recipient: ada, smtpCode: 250, enhancedCode: "2.0.0", response: "250 2.0.0 queued" }
      })
      assert.strictEqual(told(confirmed, of("delivered", ada)), confirmed)
      assert.strictEqual(standing(told(confirmed, of("failed", ada))), "bounced bounced")
      assert.strictEqual(standing(told(told(toAda, of("failed", ada)), of(action, ada))), "bounced bounced")
    }
  })
})

describe("News of a recipient", () => {
  it("is about the only one, whoever is named", () => {
    assert.strictEqual(standing(told(toAda, of("failed", "ada.l@elsewhere.example"))), "bounced bounced")
    assert.strictEqual(standing(told(toAda, of("failed"))), "bounced bounced")
  })

  it("is about the first who is known of those named, in letters or in A-labels", () => {
    assert.strictEqual(standing(told(toBoth, of("failed", "x@elsewhere.example", bob, ada))), "sent sent bounced")
    const idn = sentTo({ "ada@xn--bcher-kva.example": "accepted", [bob]: "accepted" })
    assert.strictEqual(standing(told(idn, of("failed", "ADA@bücher.example"))), "sent bounced sent")
  })

  it("changes nothing when it is of a stranger, or a delay", () => {
    for (const action of ["failed", "delivered", "relayed", "expanded"] as const) {
      assert.strictEqual(told(toBoth, of(action, "eve@example.com")), toBoth)
    }
    assert.strictEqual(told(toAda, of("delayed", ada)), toAda)
  })

  it("changes nothing when it comes late, twice, or crosses other news", () => {
    const bounced = told(toAda, of("failed", ada))
    assert.strictEqual(told(bounced, of("failed", ada)), bounced)
    assert.strictEqual(told(bounced, of("delivered", ada)), bounced)
    const delivered = told(toAda, of("delivered", ada))
    assert.strictEqual(told(delivered, of("delivered", ada)), delivered)
    const unwanted = complained(toAda, ada, after(3))
    assert.strictEqual(told(unwanted, of("failed", ada)), unwanted)
    assert.strictEqual(told(unwanted, of("delivered", ada)), unwanted)
    const refused = sentTo({ [ada]: "accepted", [bob]: "refused" })
    assert.strictEqual(told(refused, of("delivered", bob)), refused)
  })

  it("waits for the news that the message was sent", () => {
    const states = [
      accepted([ada], 8, false, start),
      taken(accepted([ada], 8, false, start), false, start),
      sentTo({ [ada]: "deferred" })
    ]
    for (const state of states) {
      for (const action of ["failed", "delivered", "relayed"] as const) {
        assert.isTrue(Option.isNone(withReport(state, [of(action, ada)], after(3))), standing(state))
      }
      assert.strictEqual(told(state, of("delayed", ada)), state)
    }
    const partly = sentTo({ [ada]: "accepted", [bob]: "deferred" })
    assert.isTrue(Option.isNone(withReport(partly, [of("failed", ada), of("failed", bob)], after(3))))
  })
})
