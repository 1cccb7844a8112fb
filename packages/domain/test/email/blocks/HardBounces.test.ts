import { hardBounces, isHardBounce } from "@switchboard/domain/email/blocks/Suppression"
import type { Delivery } from "@switchboard/domain/messages/delivery/Delivery"
import { FailureReason } from "@switchboard/domain/messages/delivery/FailureReason"
import { accepted } from "@switchboard/domain/messages/state/MessageLifecycle"
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"

const now = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const bounced = (reason: FailureReason, recipient = "ada@example.com", response = "550 no"): Delivery => ({
  recipient,
  status: "bounced",
  smtpCode: 550,
  response,
  reason,
  at: DateTime.formatIso(now)
})

describe("A hard bounce", () => {
  it("is a permanent failure because no mail can reach the address", () => {
    const hard = FailureReason.literals.filter((reason) => isHardBounce(bounced(reason)))
    assert.deepStrictEqual(hard, ["user_unknown", "host_unknown", "user_disabled", "moved"])
    for (const response of ["450 4.1.1 no", "4.1.1 no", "450 no"]) {
      assert.isFalse(isHardBounce(bounced("user_unknown", "ada@example.com", response)), response)
    }
    assert.isFalse(isHardBounce({ ...bounced("user_unknown"), status: "failed" }))
  })

  it("is reported once, for the recipients with a new bounce", () => {
    const before = accepted(["ada@example.com", "bob@example.com"], 8, false, now)
    const first = { ...before, deliveries: [bounced("user_unknown"), ...before.deliveries.slice(1)] }
    const second = { ...before, deliveries: [bounced("user_unknown"), bounced("host_unknown", "bob@example.com")] }
    assert.deepStrictEqual(hardBounces(before, first), ["ada@example.com"])
    assert.deepStrictEqual(hardBounces(first, second), ["bob@example.com"])
    assert.deepStrictEqual(hardBounces(second, second), [])
  })
})
