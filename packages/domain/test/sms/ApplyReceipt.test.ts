import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { accepted, settled, taken } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { applyReceipt, type DeliveryReceipt } from "@switchboard/domain/sms/ApplyReceipt"
import { DateTime, Duration, Option } from "effect"
import { assert, describe, it } from "vitest"

const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const after = (seconds: number) => DateTime.addDuration(start, Duration.seconds(seconds))
const [ada, bob] = ["+4930123456", "+4930123457"]

const sendWith = (verdicts: Readonly<Record<string, "accepted" | "deferred" | "refused">>) =>
  settled(
    taken(accepted(Object.keys(verdicts), 8, false, start), false, after(1)),
    DeliveryOutcome.Replied({
      replies: Object.entries(verdicts).map(([recipient, verdict]) => ({ recipient, verdict })),
      response: null,
      providerMessageId: null,
      retryAt: after(60)
    }),
    "dsn",
    after(2)
  )

const receipt = (
  recipient: string,
  status: DeliveryReceipt["status"],
  rest: Partial<DeliveryReceipt> = {}
): DeliveryReceipt => ({ recipient, status, ...rest })

const apply = (state: MessageState, ...receipts: ReadonlyArray<DeliveryReceipt>) =>
  receipts.reduce((current, one) => Option.getOrThrow(applyReceipt(current, one, after(3))), state)

const statusesOf = ({ deliveries, status }: MessageState) => [status, ...deliveries.map((one) => one.status)].join(" ")

const toBoth = sendWith({ [ada]: "accepted", [bob]: "accepted" })

describe("applyReceipt", () => {
  it("delivers the message with the first confirmed delivery", () => {
    const once = apply(toBoth, receipt(bob, "delivered", { errorCode: "000", response: "DELIVRD" }))
    assert.strictEqual(statusesOf(once), "delivered sent delivered")
    assert.deepStrictEqual(once.deliveredAt, after(3))
    assert.deepStrictEqual(once.deliveries[1], {
      recipient: bob,
      status: "delivered",
      errorCode: "000",
      response: "DELIVRD",
      at: DateTime.formatIso(after(3))
    })
    assert.strictEqual(statusesOf(apply(once, receipt(ada, "delivered"))), "delivered delivered delivered")
  })

  it("fails the message when no recipient is left", () => {
    const failed = { errorCode: "UNDELIV 005", response: "stat:UNDELIV err:005" }
    const once = apply(toBoth, receipt(ada, "failed", failed))
    assert.strictEqual(statusesOf(once), "sent failed sent")
    const twice = apply(once, receipt(bob, "failed", failed))
    assert.strictEqual(statusesOf(twice), "failed failed failed")
    assert.deepStrictEqual(twice.failedAt, after(3))
    assert.strictEqual(twice.lastError, "The provider could not deliver the message: UNDELIV 005")
    assert.deepStrictEqual(twice.errorDetails, {
      code: "delivery_failed",
      message: "The provider could not deliver the message: UNDELIV 005",
      details: { recipient: bob, errorCode: "UNDELIV 005", reason: "unknown" },
      retryable: false
    })
    assert.strictEqual(twice.statusHistory.at(-1)?.reason, "delivery_failed")
  })

  it("classifies the failure by its state or code", () => {
    const reasonsByCode = {
      "EXPIRED 001": "expired",
      REJECTD: "policy",
      "DELETED 000": "system",
      "UNDELIV 001": "unknown",
      UNKNOWN: "unknown",
      constructor: "unknown",
      "30005": "user_unknown"
    }
    for (const [errorCode, reason] of Object.entries(reasonsByCode)) {
      const { deliveries, errorDetails } = apply(toBoth, receipt(ada, "failed", { errorCode }))
      assert.deepStrictEqual([deliveries[0]?.reason, errorDetails?.details?.reason], [reason, reason], errorCode)
    }
    assert.strictEqual(apply(toBoth, receipt(ada, "failed")).deliveries[0]?.reason, "unknown")
    assert.isUndefined(apply(toBoth, receipt(ada, "delivered")).deliveries[0]?.reason)
  })

  it("keeps a message delivered whose other recipient failed, in any order", () => {
    const orders = [
      [receipt(ada, "failed"), receipt(bob, "delivered")],
      [receipt(bob, "delivered"), receipt(ada, "failed")]
    ]
    for (const order of orders) assert.strictEqual(statusesOf(apply(toBoth, ...order)), "delivered failed delivered")
  })

  it("changes nothing after a repeat, a late receipt, or one for an unknown recipient", () => {
    const state = apply(toBoth, receipt(ada, "delivered"), receipt(bob, "failed"))
    const late = [
      receipt(ada, "delivered"),
      receipt(ada, "failed"),
      receipt(ada, "sent"),
      receipt(bob, "delivered"),
      receipt(bob, "failed"),
      receipt(bob, "read"),
      receipt("+4930999999", "failed")
    ]
    for (const one of late) assert.strictEqual(apply(state, one), state)
  })

  it("reads a delivery that was sent or delivered", () => {
    const read = apply(toBoth, receipt(ada, "read"))
    assert.strictEqual(statusesOf(read), "read read sent")
    assert.strictEqual(apply(read, receipt(ada, "delivered")), read)
    assert.strictEqual(statusesOf(apply(read, receipt(bob, "delivered"))), "read read delivered")
  })

  it("comes too early for an open delivery", () => {
    const open = sendWith({ [ada]: "accepted", [bob]: "deferred" })
    for (const status of ["delivered", "read", "failed"] as const) {
      assert.isTrue(Option.isNone(applyReceipt(open, receipt(bob, status), after(3))))
    }
    assert.strictEqual(apply(open, receipt(bob, "sent")), open)
    assert.strictEqual(statusesOf(apply(open, receipt(ada, "failed"))), `${open.status} failed deferred`)
  })
})
