import { assert, describe, it } from "@effect/vitest"
import { defaultWebhookRetrySchedule as schedule } from "@switchboard/domain/RetrySchedule"
import { isFailingTooLong, nextWebhookAttemptAt, webhookResult } from "@switchboard/domain/webhooks/WebhookOutcome"
import { DateTime, Duration, FastCheck } from "effect"

const now = DateTime.unsafeMake("2026-11-20T09:30:00.000Z")

const waitOf = (retriesUsed: number, retryAfter: number | null, chance: number) => {
  const next = nextWebhookAttemptAt(schedule, retriesUsed, retryAfter, now, chance)
  return next === null ? null : DateTime.distance(now, next) / 1000
}

describe("The result of a webhook attempt", () => {
  it("is success for 2xx only, and gone for 410", () => {
    for (let status = 100; status < 600; status++) {
      const expected = status === 410 ? "gone" : status >= 200 && status < 300 ? "succeeded" : "failed"
      assert.strictEqual(webhookResult(status), expected)
    }
    assert.strictEqual(webhookResult(null), "failed")
  })
})

describe("The next webhook attempt", () => {
  it("follows a schedule of nine waits over three days", () => {
    const waits = schedule.map((_, used) => waitOf(used, null, 0.5))
    const hours = [2, 5, 10, 14, 20, 24].map((hour) => hour * 3_600)
    assert.deepStrictEqual(waits, [5, 300, 1_800, ...hours])
    assert.isNull(waitOf(9, null, 0.5))
    assert.isNull(waitOf(9, 60, 0.5))
  })

  it("varies by at most a tenth of the wait", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(8), FastCheck.double({ min: 0, max: 1, noNaN: true }), (used, chance) => {
        const wait = waitOf(used, null, chance) ?? Number.NaN
        const planned = Duration.toSeconds(schedule[used] ?? Duration.zero)
        return wait >= planned * 0.9 - 0.001 && wait <= planned * 1.1 + 0.001
      })
    )
  })

  it("respects Retry-After, up to a day", () => {
    assert.strictEqual(waitOf(0, 60, 0.5), 60)
    assert.strictEqual(waitOf(1, 60, 0.5), 300)
    assert.strictEqual(waitOf(0, 90_000, 0.5), 86_400)
  })
})

describe("A failing endpoint", () => {
  it("counts as failing too long after five days", () => {
    const since = DateTime.subtract(now, { days: 5 })
    assert.isTrue(isFailingTooLong(since, now))
    assert.isFalse(isFailingTooLong(DateTime.add(since, { millis: 1 }), now))
  })
})
