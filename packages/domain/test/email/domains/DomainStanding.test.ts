import {
  type DomainStanding,
  type DomainVerdict,
  nextCheck,
  standingAfter
} from "@switchboard/domain/email/domains/DomainStanding"
import { DateTime, Duration } from "effect"
import { assert, describe, it } from "vitest"

const start = DateTime.unsafeMake("2026-11-20T09:30:00.000Z")
const at = (hours: number) => DateTime.add(start, { seconds: hours * 3600 })
const hoursAfter = (then: DateTime.Utc) => Duration.toHours(DateTime.distanceDuration(start, then))

const pending: DomainStanding = { status: "pending", verifiedAt: null, failingSince: null }
const verified: DomainStanding = { status: "verified", verifiedAt: start, failingSince: null }
const degraded: DomainStanding = { status: "degraded", verifiedAt: start, failingSince: start }
const failed: DomainStanding = { status: "failed", verifiedAt: start, failingSince: start }

const after = (before: DomainStanding, verdict: DomainVerdict, hours: number) => {
  const { failingSince, status, verifiedAt } = standingAfter(before, verdict, at(hours))
  return [status, verifiedAt && hoursAfter(verifiedAt), failingSince && hoursAfter(failingSince)]
}

describe("A domain", () => {
  it("is verified when its records stand, and stays as it is while they don't", () => {
    assert.deepStrictEqual(after(pending, "stands", 1), ["verified", 1, null])
    assert.deepStrictEqual(after(pending, "falls", 100), ["pending", null, null])
    assert.deepStrictEqual(after(verified, "stands", 1), ["verified", 0, null])
  })

  it("whose records are gone is degraded for 72 hours, then failed", () => {
    assert.deepStrictEqual(after(verified, "falls", 5), ["degraded", 0, 5])
    assert.deepStrictEqual(after(degraded, "falls", 71.9), ["degraded", 0, 0])
    assert.deepStrictEqual(after(degraded, "falls", 72), ["failed", 0, 0])
    assert.deepStrictEqual(after(failed, "falls", 1000), ["failed", 0, 0])
  })

  it("comes back by itself", () => {
    assert.deepStrictEqual(after(degraded, "stands", 71), ["verified", 0, null])
    assert.deepStrictEqual(after(failed, "stands", 100), ["verified", 100, null])
  })

  it("is not judged by silence, but what was granted ends", () => {
    assert.deepStrictEqual(after(verified, "unknown", 5), ["verified", 0, null])
    assert.deepStrictEqual(after(pending, "unknown", 5), ["pending", null, null])
    assert.deepStrictEqual(after(degraded, "unknown", 71), ["degraded", 0, 0])
    assert.deepStrictEqual(after(degraded, "unknown", 72), ["failed", 0, 0])
    assert.deepStrictEqual(after(failed, "unknown", 100), ["failed", 0, 0])
  })

  /** How many minutes after that moment it is looked up again. */
  const wait = (standing: DomainStanding, hours: number, verdict: DomainVerdict = "falls") =>
    Duration.toMinutes(DateTime.distanceDuration(at(hours), nextCheck(standing, start, verdict, at(hours))))

  it("that is pending is looked up every 5 minutes for an hour, hourly to 72 hours, then daily", () => {
    assert.deepStrictEqual(
      [0, 0.99, 1, 71, 72, 1000].map((hours) => wait(pending, hours)),
      [5, 5, 60, 60, 1440, 1440]
    )
  })

  it("that is verified is looked up the more often the fresher that is: what was set up now may be undone soon", () => {
    assert.deepStrictEqual(
      [0, 0.99, 1, 71, 72, 1000].map((hours) => wait(verified, hours, "stands")),
      [5, 5, 60, 60, 1440, 1440]
    )
  })

  it("that is failed is looked up daily", () => {
    assert.strictEqual(wait(failed, 80), 1440)
  })

  it("that is degraded is looked up the more often the fresher that is, and when its time is over", () => {
    assert.deepStrictEqual(
      [0, 1, 70, 71.5].map((hours) => wait(degraded, hours)),
      [5, 60, 60, 30]
    )
  })

  it("of which nobody said anything is asked for before long", () => {
    assert.strictEqual(wait(verified, 10, "unknown"), 15)
    assert.strictEqual(wait(pending, 0, "unknown"), 5)
    assert.strictEqual(wait(pending, 100, "unknown"), 15)
  })
})
