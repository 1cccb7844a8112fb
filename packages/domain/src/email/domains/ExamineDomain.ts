import { DateTime, Duration } from "effect"
import {
  type DomainFacts,
  type ExpectedRecord,
  expectedRecords,
  type MailRoute,
  returnPathMechanism
} from "./DomainRecords.js"
import { type EmailDomainStatus, isControlled, type RecordReport } from "./EmailDomain.js"

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

/*
 * Comparison of TXT records. Providers' forms change their text: they split it, add the quotes of a zone file, change
 * white space, or reorder tags.
 */

/** Joins the quoted pieces of a zone file's text; unquoted text stays. */
const unquoted = (text: string): string => {
  const pieces = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, piece]) => piece)
  const joined = text.trim().startsWith('"') && pieces.length > 0 ? pieces.join("") : text
  return joined.replace(/\\(["\\;])/g, "$1").trim()
}

const withoutSpace = (text: string): string => unquoted(text).replace(/\s+/g, "")

/** Whether two texts are equal without quotes and white space. */
export const isSameText = (found: string, expected: string): boolean => withoutSpace(found) === withoutSpace(expected)

/** Parses a tag list (RFC 6376 section 3.2); null if it is malformed or has a duplicate tag. */
const tagsOf = (text: string): ReadonlyMap<string, string> | null => {
  const tags = new Map<string, string>()
  const parts = unquoted(text)
    .split(";")
    .map((part) => part.trim())
  if (parts.at(-1) === "") parts.pop()
  for (const part of parts) {
    const [, name, value] = /^([A-Za-z][A-Za-z0-9_]*)\s*=([\s\S]*)$/.exec(part) ?? []
    if (name === undefined || value === undefined || tags.has(name)) return null
    tags.set(name, value.replace(/\s+/g, ""))
  }
  return tags
}

/** Whether a tag contains one of the items; a missing tag allows all. */
const allows = (tags: ReadonlyMap<string, string>, name: string, ...items: ReadonlyArray<string>): boolean => {
  const value = tags.get(name)
  return value === undefined || value.split(":").some((item) => items.includes(item))
}

/** Whether a DKIM record (RFC 6376 section 3.6.1) verifies signatures of this public key (base64). */
export const isDkimKey = (found: string, publicKey: string): boolean => {
  const tags = tagsOf(found)
  return (
    tags !== null &&
    tags.get("p") === publicKey &&
    allows(tags, "v", "DKIM1") &&
    allows(tags, "k", "rsa") &&
    allows(tags, "h", "sha256") &&
    allows(tags, "s", "*", "email")
  )
}

const spfTerms = (text: string): ReadonlyArray<string> => unquoted(text).toLowerCase().split(/\s+/)

/** Whether a text is an SPF record. */
export const isSpf = (text: string): boolean => spfTerms(text)[0] === "v=spf1"

/** Whether an SPF record passes this mechanism, before any `all`. */
export const spfPasses = (found: string, mechanism: string): boolean => {
  const [, ...terms] = spfTerms(found)
  const end = terms.findIndex((term) => /^[-+~?]?all$/.test(term))
  return (
    isSpf(found) && terms.slice(0, end === -1 ? undefined : end).some((term) => term.replace(/^\+/, "") === mechanism)
  )
}

/** Whether a text is a DMARC policy record (RFC 7489 section 6.3), with any policy. */
export const isDmarc = (found: string): boolean => {
  const tags = tagsOf(found)
  return tags !== null && [...tags.keys()][0] === "v" && tags.get("v") === "DMARC1" && tags.has("p")
}

/** Whether a text is a record of TLS reports (RFC 8460 section 3), with any address. */
const isTlsReporting = (found: string): boolean => /^v=TLSRPTv1\s*;.*\brua\s*=/.test(unquoted(found))

/** The values that name servers return, by record key; an MX value has the form `10 mail.example.com`. */
export type FoundRecords = ReadonlyMap<string, ReadonlyArray<string>>

/** The key of a record in `FoundRecords`. */
export const recordKey = ({ name, type }: Pick<ExpectedRecord, "name" | "type">): string => `${type} ${name}`

/** An expected record and its lookup result. */
export interface ExaminedRecord extends ExpectedRecord {
  readonly found: ReadonlyArray<string>
  readonly ok: boolean
}

const hostOf = (name: string) => name.toLowerCase().replace(/\.$/, "")

const isSameHost = (one: string, other: string): boolean => hostOf(one) === hostOf(other)

/** Whether `host` is among the mail exchangers with the lowest preference value. */
const isFirstExchange = (found: ReadonlyArray<string>, host: string): boolean => {
  const exchanges = found.map((text) => {
    const [order = "", exchange = ""] = text.split(" ")
    return { order: Number(order), exchange }
  })
  const first = Math.min(...exchanges.map(({ order }) => order))
  return exchanges.some(({ exchange, order }) => order === first && isSameHost(exchange, host))
}

/** Several SPF records are an error (RFC 7208 section 4.5). */
const oneSpf = (found: ReadonlyArray<string>, mechanism: string): boolean => {
  const all = [...new Set(found.filter(isSpf))]
  return all.length === 1 && all.every((text) => spfPasses(text, mechanism))
}

const isFound = (
  expected: ExpectedRecord,
  found: ReadonlyArray<string>,
  facts: DomainFacts,
  route: MailRoute
): boolean => {
  switch (expected.purpose) {
    case "ownership":
      return found.some((text) => isSameText(text, expected.value))
    case "sm1":
    case "sm2": {
      const key = facts.publicKeys[expected.purpose]
      return found.some((text) => isDkimKey(text, key))
    }
    case "bounces":
    case "receiving":
      return isFirstExchange(found, expected.value)
    case "spf":
      return oneSpf(found, returnPathMechanism(route))
    case "dmarc":
      return found.filter(isDmarc).length === 1
    case "tlsReports":
      return found.filter(isTlsReporting).length === 1
    case "tracking":
      return found.some((host) => isSameHost(host, expected.value))
  }
}

/** Compares the expected records of a domain with the ones found. */
export const examineDomain = (
  facts: DomainFacts,
  route: MailRoute,
  found: FoundRecords
): ReadonlyArray<ExaminedRecord> =>
  expectedRecords(facts, route).map((expected) => {
    const values = found.get(recordKey(expected)) ?? []
    return { ...expected, found: values, ok: isFound(expected, values, facts, route) }
  })

/** Whether all required records are found. */
export const hasRequiredRecords = (examined: ReadonlyArray<ExaminedRecord>): boolean =>
  examined.every(({ ok, required }) => ok || !required)

/** Whether links may lead over the host for tracking. */
export const isTrackingVerified = (examined: ReadonlyArray<ExaminedRecord>): boolean =>
  examined.some(({ ok, purpose }) => ok && purpose === "tracking")

/** The value as DNS tools print it: with the preference of an MX record. */
const expectedText = ({ priority, value }: ExpectedRecord): string =>
  priority === undefined ? value : `${priority} ${value}`

/** The entry of a record in a domain report. */
export const recordReport = (examined: ExaminedRecord): RecordReport => ({
  type: examined.type,
  name: examined.name,
  expected: expectedText(examined),
  found: examined.found,
  ok: examined.ok,
  state: examined.ok ? "ok" : examined.found.length === 0 ? "missing" : "differs"
})

/** The advice to the owner of the domain's zone about a record; null if the record is correct. */
export const recordAdvice = (examined: ExaminedRecord): string | null => {
  if (examined.ok) return null
  const { found, name, required, type } = examined
  const values = found.length === 0 ? "there is none now" : `now it is: ${found.map((text) => `"${text}"`).join(", ")}`
  return `${required ? "Please publish" : "Advised: publish"} the ${type} record ${name} with the value "${expectedText(examined)}" (${values})`
}
