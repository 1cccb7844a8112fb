import { DateTime, Duration } from "effect"
import type { EmailDomainStatus } from "./EmailDomain.js"
import { isControlled } from "./EmailDomain.js"

/** The verification state of a domain. */
export interface DomainVerification {
  readonly status: EmailDomainStatus
  readonly verifiedAt: DateTime.Utc | null
  /** The start of the `degraded` state; null in any other state. */
  readonly failingSince: DateTime.Utc | null
}

/** How long a domain in the state `degraded` can still send. */
export const degradedPeriod = Duration.hours(72)

/** The result of a DNS check; `unknown` if name servers did not respond. */
export type DomainCheckResult = "pass" | "fail" | "unknown"

const isPeriodOver = (since: DateTime.Utc | null, now: DateTime.Utc): boolean =>
  since !== null && DateTime.greaterThanOrEqualTo(now, DateTime.addDuration(since, degradedPeriod))

/** The state after a DNS check. `unknown` changes no state, but does not extend the degraded period. */
export const nextVerification = (
  before: DomainVerification,
  verdict: DomainCheckResult,
  now: DateTime.Utc
): DomainVerification => {
  if (verdict === "pass") {
    return { status: "verified", verifiedAt: isControlled(before.status) ? before.verifiedAt : now, failingSince: null }
  }
  if (before.status === "verified" && verdict === "fail") return { ...before, status: "degraded", failingSince: now }
  if (before.status === "degraded" && isPeriodOver(before.failingSince, now)) return { ...before, status: "failed" }
  return before
}

/** The check interval by age: 5 minutes for an hour, then hourly to 72 hours, then daily. */
const intervalAfter = (age: Duration.Duration): Duration.Duration => {
  if (Duration.lessThan(age, Duration.hours(1))) return Duration.minutes(5)
  return Duration.lessThan(age, degradedPeriod) ? Duration.hours(1) : Duration.days(1)
}

/** The maximum wait after a check without a response. */
const retryInterval = Duration.minutes(15)

/** The start of the current state; null for `failed`, which is checked daily. */
const stateSince = ({ failingSince, status, verifiedAt }: DomainVerification, createdAt: DateTime.Utc) => {
  if (status === "pending") return createdAt
  if (status === "verified") return verifiedAt
  return status === "degraded" ? failingSince : null
}

/** The time of the next check. */
export const nextCheck = (
  state: DomainVerification,
  createdAt: DateTime.Utc,
  verdict: DomainCheckResult,
  now: DateTime.Utc
): DateTime.Utc => {
  const since = stateSince(state, createdAt)
  const interval = since === null ? Duration.days(1) : intervalAfter(DateTime.distanceDuration(since, now))
  const next = DateTime.addDuration(now, verdict === "unknown" ? Duration.min(interval, retryInterval) : interval)
  // A check runs exactly when the degraded period ends.
  const end = state.status === "degraded" && since !== null ? DateTime.addDuration(since, degradedPeriod) : next
  return DateTime.min(next, DateTime.greaterThan(end, now) ? end : next)
}
