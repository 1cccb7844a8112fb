import { assert, describe, it } from "@effect/vitest"
import { makeDeferrals } from "@switchboard/channels/mailbox/MailboxServer"

describe("makeDeferrals", () => {
  it("deletes the oldest deferral beyond 10,000", () => {
    const deferred = makeDeferrals()
    const mail = (index: number) => ({ envelopeId: `message ${index}`, mailFrom: "" })
    for (let index = 0; index < 10_001; index++) assert.isTrue(deferred(mail(index), "ada@example.org"))
    assert.isFalse(deferred(mail(1), "ada@example.org"))
    assert.isFalse(deferred(mail(10_000), "ADA@example.org"))
    assert.isTrue(deferred(mail(0), "ada@example.org"))
  })
})
