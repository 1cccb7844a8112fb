import { hardBounces, isHardBounce } from "@switchboard/domain/email/blocks/Suppression"
import type { Delivery } from "@switchboard/domain/messages/delivery/Delivery"
import { accepted } from "@switchboard/domain/messages/state/MessageLifecycle"
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"

const now = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")
const bounced = (response: string, recipient = "ada@example.com"): Delivery => ({
  recipient,
  status: "bounced",
  smtpCode: 550,
  response,
  at: DateTime.formatIso(now)
})

describe("A hard bounce", () => {
  it("is a rejection with an enhanced code for an unknown address", () => {
    for (const code of ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10"]) {
      for (const text of [
        `550 ${code} no`,
        `550 ${code}`,
        `${code} no`,
        code,
        `550-${code} no\n550 ${code} really`,
        `554 ${code}: no`
      ]) {
        assert.isTrue(isHardBounce(bounced(text)), text)
      }
    }
  })

  it("is no rejection with another code, and no text that mentions such a code", () => {
    for (const text of [
      "550 5.7.1 Rejected as spam",
      "552 5.2.2 Mailbox full",
      "550 5.1.0 Sender refused",
      "550 5.1.8 Bad sender's domain",
      "550 5.1.11 unknown",
      "550 5.1.100 unknown",
      "550 No such user",
      "550 5.7.1 not 5.1.1",
      "550 5.7.1 Rejected: your last mail got 550 5.1.1",
      "450 5.1.1 no",
      "550 15.1.1 no",
      "15.1.1 no"
    ]) {
      assert.isFalse(isHardBounce(bounced(text)), text)
    }
    assert.isFalse(isHardBounce({ ...bounced("550 5.1.1 no"), status: "failed" }))
  })

  it("is reported once, for the recipients with a new bounce", () => {
    const before = accepted(["ada@example.com", "bob@example.com"], 8, false, now)
    const first = { ...before, deliveries: [bounced("550 5.1.1 no"), ...before.deliveries.slice(1)] }
    const second = { ...before, deliveries: [bounced("550 5.1.1 no"), bounced("550 5.1.10 no", "bob@example.com")] }
    assert.deepStrictEqual(hardBounces(before, first), ["ada@example.com"])
    assert.deepStrictEqual(hardBounces(first, second), ["bob@example.com"])
    assert.deepStrictEqual(hardBounces(second, second), [])
  })
})
