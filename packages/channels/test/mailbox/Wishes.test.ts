import { assert, describe, it } from "@effect/vitest"
import { makeDeferrals } from "@switchboard/channels/mailbox/Wishes"

describe("What the mailbox has put off", () => {
  it("is forgotten, the oldest first, when it is too much to remember", () => {
    const deferred = makeDeferrals()
    const mail = (index: number) => ({ envelopeId: `message ${index}`, mailFrom: "" })
    for (let index = 0; index < 10_001; index++) assert.isTrue(deferred(mail(index), "ada@example.org"))
    assert.isFalse(deferred(mail(1), "ada@example.org"))
    assert.isFalse(deferred(mail(10_000), "ADA@example.org"))
    assert.isTrue(deferred(mail(0), "ada@example.org"))
  })
})
