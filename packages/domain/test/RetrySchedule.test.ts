import { defaultRetrySchedule, nextRetryAt } from "@switchboard/domain/RetrySchedule"
import { DateTime, Duration, FastCheck } from "effect"
import { assert, describe, it } from "vitest"

const now = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")

const waitAfter = (retriesUsed: number, chance: number) => {
  const at = nextRetryAt(defaultRetrySchedule, retriesUsed, now, chance)
  return at === null ? null : Duration.toMillis(DateTime.distanceDuration(now, at))
}

const lastRetry = defaultRetrySchedule.length - 1

describe("nextRetryAt", () => {
  it("varies the delay by at most 20 percent", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.nat(lastRetry),
        FastCheck.double({ min: 0, max: 1, noNaN: true }),
        (retriesUsed, chance) => {
          const delay = Duration.toMillis(defaultRetrySchedule[retriesUsed] ?? Duration.zero)
          const wait = waitAfter(retriesUsed, chance) ?? Number.NaN
          assert.isAtLeast(wait, delay * 0.8 - 1)
          assert.isAtMost(wait, delay * 1.2 + 1)
        }
      )
    ))

  it("scales the delay by 0.8 to 1.2 with the random number", () => {
    assert.strictEqual(waitAfter(0, 0), 24_000)
    assert.strictEqual(waitAfter(0, 0.5), 30_000)
    assert.strictEqual(waitAfter(0, 1), 36_000)
  })

  it("uses increasing delays", () => {
    const delays = defaultRetrySchedule.map(Duration.toMillis)
    assert.deepStrictEqual(
      delays,
      [...delays].sort((left, right) => left - right)
    )
  })

  it("returns null after the last retry", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(100), (more) => {
        assert.isNull(waitAfter(lastRetry + 1 + more, 0.5))
      })
    ))

  it("returns null for an empty schedule", () => {
    assert.isNull(nextRetryAt([], 0, now, 0.5))
  })
})
