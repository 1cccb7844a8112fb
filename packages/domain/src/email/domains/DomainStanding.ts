import { DateTime, Duration } from "effect"
import type { EmailDomainStatus } from "./EmailDomain.js"

/** How a domain stands, and since when. */
export interface DomainStanding {
  readonly status: EmailDomainStatus
  readonly verifiedAt: DateTime.Utc | null
  /** Since when a domain that was verified is not found as it should be. */
  readonly failingSince: DateTime.Utc | null
}

/** How long a domain that is not found as it should be still sends. */
export const degradedSends = Duration.hours(72)

/** The answer of name servers: whether all stands, or none at all. */
export type DomainVerdict = "stands" | "falls" | "unknown"

const longAgo = (since: DateTime.Utc | null, now: DateTime.Utc): boolean =>
  since !== null && DateTime.greaterThanOrEqualTo(now, DateTime.addDuration(since, degradedSends))

/** How a domain stands after a look-up. Silence proves nothing, but it does not lengthen what was granted either. */
export const standingAfter = (before: DomainStanding, verdict: DomainVerdict, now: DateTime.Utc): DomainStanding => {
  if (verdict === "stands") {
    const isKnown = before.status === "verified" || before.status === "degraded"
    return { status: "verified", verifiedAt: isKnown ? before.verifiedAt : now, failingSince: null }
  }
  if (before.status === "verified" && verdict === "falls") return { ...before, status: "degraded", failingSince: now }
  if (before.status === "degraded" && longAgo(before.failingSince, now)) return { ...before, status: "failed" }
  return before
}

/** Every 5 minutes for an hour, hourly to 72 hours, then daily. */
const paceAfter = (age: Duration.Duration): Duration.Duration => {
  if (Duration.lessThan(age, Duration.hours(1))) return Duration.minutes(5)
  return Duration.lessThan(age, degradedSends) ? Duration.hours(1) : Duration.days(1)
}

/** When nobody answered, it is asked again before long. */
const afterSilence = Duration.minutes(15)

/** Since when a domain stands as it does; one that is failed is in no hurry. */
const standsSince = ({ failingSince, status, verifiedAt }: DomainStanding, createdAt: DateTime.Utc) => {
  if (status === "pending") return createdAt
  if (status === "verified") return verifiedAt
  return status === "degraded" ? failingSince : null
}

/** When a domain is looked up again, given how it stands now. */
export const nextCheck = (
  standing: DomainStanding,
  createdAt: DateTime.Utc,
  verdict: DomainVerdict,
  now: DateTime.Utc
): DateTime.Utc => {
  const since = standsSince(standing, createdAt)
  const pace = since === null ? Duration.days(1) : paceAfter(DateTime.distanceDuration(since, now))
  const next = DateTime.addDuration(now, verdict === "unknown" ? Duration.min(pace, afterSilence) : pace)
  // What is granted ends on the minute.
  const end = standing.status === "degraded" && since !== null ? DateTime.addDuration(since, degradedSends) : next
  return DateTime.min(next, DateTime.greaterThan(end, now) ? end : next)
}
