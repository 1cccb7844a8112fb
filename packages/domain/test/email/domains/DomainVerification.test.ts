import {
  type DomainCheckResult,
  type DomainVerification,
  nextCheck,
  nextVerification
} from "@switchboard/domain/email/domains/ExamineDomain"
import { DateTime, Duration } from "effect"
import { assert, describe, it } from "vitest"

const start = DateTime.unsafeMake("2026-11-20T09:30:00.000Z")
const at = (hours: number) => DateTime.add(start, { seconds: hours * 3600 })
const hoursAfter = (time: DateTime.Utc) => Duration.toHours(DateTime.distanceDuration(start, time))

const pending: DomainVerification = { status: "pending", verifiedAt: null, failingSince: null }
const verified: DomainVerification = { status: "verified", verifiedAt: start, failingSince: null }
const degraded: DomainVerification = { status: "degraded", verifiedAt: start, failingSince: start }
const failed: DomainVerification = { status: "failed", verifiedAt: start, failingSince: start }

const after = (before: DomainVerification, verdict: DomainCheckResult, hours: number) => {
  const { failingSince, status, verifiedAt } = nextVerification(before, verdict, at(hours))
  return [status, verifiedAt && hoursAfter(verifiedAt), failingSince && hoursAfter(failingSince)]
}

describe("The status of a domain", () => {
  it("becomes verified with the required records, and stays pending without them", () => {
    assert.deepStrictEqual(after(pending, "pass", 1), ["verified", 1, null])
    assert.deepStrictEqual(after(pending, "fail", 100), ["pending", null, null])
    assert.deepStrictEqual(after(verified, "pass", 1), ["verified", 0, null])
  })

  it("becomes degraded without the records, and failed after 72 hours", () => {
    assert.deepStrictEqual(after(verified, "fail", 5), ["degraded", 0, 5])
    assert.deepStrictEqual(after(degraded, "fail", 71.9), ["degraded", 0, 0])
    assert.deepStrictEqual(after(degraded, "fail", 72), ["failed", 0, 0])
    assert.deepStrictEqual(after(failed, "fail", 1000), ["failed", 0, 0])
  })

  it("becomes verified again when the records return", () => {
    assert.deepStrictEqual(after(degraded, "pass", 71), ["verified", 0, null])
    assert.deepStrictEqual(after(failed, "pass", 100), ["verified", 100, null])
  })

  it("is unchanged if the lookup fails, except that the 72 hours end", () => {
    assert.deepStrictEqual(after(verified, "unknown", 5), ["verified", 0, null])
    assert.deepStrictEqual(after(pending, "unknown", 5), ["pending", null, null])
    assert.deepStrictEqual(after(degraded, "unknown", 71), ["degraded", 0, 0])
    assert.deepStrictEqual(after(degraded, "unknown", 72), ["failed", 0, 0])
    assert.deepStrictEqual(after(failed, "unknown", 100), ["failed", 0, 0])
  })

  /** The minutes until the next check. */
  const nextCheckMinutes = (standing: DomainVerification, hours: number, verdict: DomainCheckResult = "fail") =>
    Duration.toMinutes(DateTime.distanceDuration(at(hours), nextCheck(standing, start, verdict, at(hours))))

  it("is checked every 5 minutes for an hour, then hourly for 72 hours, then daily while pending", () => {
    assert.deepStrictEqual(
      [0, 0.99, 1, 71, 72, 1000].map((hours) => nextCheckMinutes(pending, hours)),
      [5, 5, 60, 60, 1440, 1440]
    )
  })

  it("is checked more often after a recent verification", () => {
    assert.deepStrictEqual(
      [0, 0.99, 1, 71, 72, 1000].map((hours) => nextCheckMinutes(verified, hours, "pass")),
      [5, 5, 60, 60, 1440, 1440]
    )
  })

  it("is checked daily while failed", () => {
    assert.strictEqual(nextCheckMinutes(failed, 80), 1440)
  })

  it("is checked more often after a recent degradation, and when the 72 hours end", () => {
    assert.deepStrictEqual(
      [0, 1, 70, 71.5].map((hours) => nextCheckMinutes(degraded, hours)),
      [5, 60, 60, 30]
    )
  })

  it("is checked again within 15 minutes after a failed lookup", () => {
    assert.strictEqual(nextCheckMinutes(verified, 10, "unknown"), 15)
    assert.strictEqual(nextCheckMinutes(pending, 0, "unknown"), 5)
    assert.strictEqual(nextCheckMinutes(pending, 100, "unknown"), 15)
  })
})
