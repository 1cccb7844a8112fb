import {
  ConflictError,
  ExternalServiceError,
  ResourceNotFoundError,
  type ServiceUnavailableError
} from "@switchboard/domain/Errors"
import {
  type DomainFacts,
  dkimSelectors,
  dnsRecord,
  type ExpectedRecord,
  expectedRecords,
  type MailRoute
} from "@switchboard/domain/email/domains/DomainRecords"
import {
  DomainReport,
  EmailDomain,
  type EmailDomainId,
  type EmailDomainStatus
} from "@switchboard/domain/email/domains/EmailDomain"
import {
  type DomainCheckResult,
  examineDomain,
  type FoundRecords,
  hasRequiredRecords,
  isTrackingVerified,
  nextCheck,
  nextVerification,
  recordKey,
  recordReport
} from "@switchboard/domain/email/domains/ExamineDomain"
import type { EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Duration, Effect, Option } from "effect"
import { newEvent } from "../../events/NewEvent.js"
import { type DnsAbsent, type DnsFailed, DnsResolver } from "../../network/DnsResolver.js"
import type { ScheduledJob } from "../../ScheduledJob.js"
import { verifiedWithDomain } from "../senders/DescribeSender.js"
import { DomainRepo, MailRouting, type StoredDomain } from "./DomainRepo.js"

/** Limits of the text and the records that are read from a zone, which is not trusted. */
const maxTextLength = 4096
const maxRecords = 50

const shortened = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text)

/** The error response to a failed look-up. */
export const dnsError = ({ message }: DnsFailed) => new ExternalServiceError({ provider: "dns", message })

/** Looks up all records concurrently. A missing record is an empty result. */
const lookUpRecords = (
  dns: typeof DnsResolver.Service,
  wanted: ReadonlyArray<ExpectedRecord>
): Effect.Effect<FoundRecords, DnsFailed> => {
  const answer = ({ name, type }: ExpectedRecord): Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed> => {
    if (type === "TXT") return dns.txt(name)
    if (type === "CNAME") return dns.alias(name)
    return Effect.map(dns.mx(name), (found) => found.map(({ exchange, priority }) => `${priority} ${exchange}`))
  }
  return Effect.map(
    Effect.forEach(
      wanted,
      (record) =>
        answer(record).pipe(
          Effect.catchTag("DnsAbsent", () => Effect.succeed<ReadonlyArray<string>>([])),
          Effect.map((found) => [recordKey(record), found.slice(0, maxRecords).map(shortened)] as const)
        ),
      { concurrency: "unbounded" }
    ),
    (answers) => new Map(answers)
  )
}

/** The fields of a stored domain that its required records depend on. */
const factsOf = (stored: StoredDomain): DomainFacts => ({ ...stored, wasVerified: stored.verifiedAt !== null })

/** The wire form of a domain, in responses and events. */
export const describeDomain = (stored: StoredDomain, route: MailRoute): EmailDomain =>
  new EmailDomain(
    {
      id: stored.id,
      domain: stored.domain,
      status: stored.status,
      ...(stored.verifiedAt === null ? {} : { verifiedAt: stored.verifiedAt }),
      dnsRecords: expectedRecords(factsOf(stored), route).map(dnsRecord),
      dkimTokens: dkimSelectors.map((selector) => stored.publicKeys[selector]),
      verificationToken: stored.verificationToken,
      trackOpens: stored.trackOpens,
      trackClicks: stored.trackClicks,
      ...(stored.trackingDomain === null ? {} : { trackingDomain: stored.trackingDomain }),
      ...(stored.pause === null ? {} : { pause: stored.pause }),
      createdAt: stored.createdAt,
      updatedAt: stored.updatedAt
    },
    { disableValidation: true }
  )

/** The event of a change to a domain. */
export const domainEvent = (
  type: Extract<EventType, `email_domain.${string}`>,
  stored: StoredDomain,
  route: MailRoute
) => newEvent(type, stored.organizationId, stored.id, describeDomain(stored, route))

/** The error for a domain that the organization does not have. */
export const domainNotFound = (id: string) => new ResourceNotFoundError({ resource: "domain", id })

/** The event type of each new status. */
const eventTypeOf = {
  verified: "email_domain.verified",
  degraded: "email_domain.degraded",
  failed: "email_domain.failed"
} as const satisfies Partial<Record<EmailDomainStatus, string>>

/** Compares domains with their DNS records. */
export class DomainChecks extends Effect.Service<DomainChecks>()("services/DomainChecks", {
  effect: Effect.gen(function* () {
    const repo = yield* DomainRepo
    const dns = yield* DnsResolver
    const route = yield* MailRouting

    const lookUp = (stored: StoredDomain) => lookUpRecords(dns, expectedRecords(factsOf(stored), route))

    /** Compares the records that DNS returns with the required ones. */
    const examine = (stored: StoredDomain) =>
      Effect.map(lookUp(stored), (found) => examineDomain(factsOf(stored), route, found))

    /**
     * The domain after a look-up; `found` is null if DNS did not respond. The required records are those at the time of
     * the write.
     */
    const settled = Effect.fnUntraced(function* (present: StoredDomain, found: FoundRecords | null) {
      const now = yield* DateTime.now
      const examined = found === null ? null : examineDomain(factsOf(present), route, found)
      const verdict: DomainCheckResult = examined === null ? "unknown" : hasRequiredRecords(examined) ? "pass" : "fail"
      const standing = nextVerification(present, verdict, now)
      const changed = standing.status !== present.status
      const domain: StoredDomain = {
        ...present,
        ...standing,
        isTrackingVerified: examined === null ? present.isTrackingVerified : isTrackingVerified(examined),
        nextCheckAt: nextCheck(standing, present.createdAt, verdict, now),
        updatedAt: changed ? now : present.updatedAt
      }
      const events =
        changed && domain.status !== "pending" ? [yield* domainEvent(eventTypeOf[domain.status], domain, route)] : []
      // Sent on every success, not only on a change of status: a sender may have been added during the look-up.
      return {
        domain,
        newKey: null,
        events,
        ...(domain.status === "verified" ? { verifySenders: verifiedWithDomain } : {})
      }
    })

    /** Stores the outcome of a look-up. None if the domain was removed during it. */
    const settle = ({ id, organizationId }: StoredDomain, found: FoundRecords | null) =>
      repo.change(organizationId, id, (present) => settled(present, found))

    const byName = (organization: OrganizationId, domain: string) =>
      Effect.flatMap(
        repo.findByName(organization, domain),
        Effect.mapError(() => domainNotFound(domain))
      )

    /** Looks a domain up and stores the outcome. Returns whether the domain is verified, and the records. */
    const verify = Effect.fn("DomainChecks.verify")(function* (organization: OrganizationId, name: string) {
      const stored = yield* byName(organization, name)
      if (yield* repo.isVerifiedElsewhere(organization, name)) {
        return yield* new ConflictError({
          message: `The domain ${name} is verified by another organization`,
          resource: "domain"
        })
      }
      const found = yield* Effect.mapError(lookUp(stored), dnsError)
      const { domain } = yield* Effect.flatMap(
        settle(stored, found),
        Effect.mapError(() => domainNotFound(name))
      )
      return {
        success: domain.status === "verified",
        records: examineDomain(factsOf(domain), route, found).map(recordReport)
      }
    })

    const report = (stored: StoredDomain) =>
      Effect.zipWith(
        Effect.mapError(examine(stored), dnsError),
        DateTime.now,
        (examined, checkedAt) =>
          new DomainReport(
            {
              id: stored.id,
              domain: stored.domain,
              status: stored.status,
              ...(stored.verifiedAt === null ? {} : { verifiedAt: stored.verifiedAt }),
              checkedAt,
              records: examined.map(recordReport)
            },
            { disableValidation: true }
          )
      )

    /** A domain's status with the current DNS records. Stores nothing. */
    const status = Effect.fn("DomainChecks.status")(function* (organization: OrganizationId, id: EmailDomainId) {
      const found = yield* repo.find(organization, id)
      return yield* Option.match(found, { onNone: () => domainNotFound(id), onSome: report })
    })

    const statusByName = Effect.fn("DomainChecks.statusByName")(function* (organization: OrganizationId, name: string) {
      return yield* report(yield* byName(organization, name))
    })

    /**
     * Looks up a domain that is due. A domain that another organization verified during the look-up is checked again
     * later.
     */
    const recheck = (stored: StoredDomain) =>
      Effect.option(lookUp(stored)).pipe(
        Effect.flatMap((found) => settle(stored, Option.getOrNull(found))),
        Effect.catchTag("ConflictError", () => settle(stored, null)),
        Effect.catchTag("ConflictError", () => Effect.succeedNone)
      )

    return { verify, status, statusByName, examine, recheck } as const
  })
}) {}

const batch = 50
const checkConcurrency = 10

/** Exceeds the duration of a batch in which every lookup times out. */
const putOff = Duration.minutes(10)

/** Checks the domains that are due. Taking a domain moves its next check, so that no other process checks it. */
export const recheckDomains: Effect.Effect<ScheduledJob, never, DomainRepo | DomainChecks> = Effect.gen(function* () {
  const repo = yield* DomainRepo
  const checks = yield* DomainChecks

  const round: Effect.Effect<number, ServiceUnavailableError> = Effect.gen(function* () {
    const now = yield* DateTime.now
    const due = yield* repo.takeDue(now, DateTime.addDuration(now, putOff), batch)
    yield* Effect.forEach(due, checks.recheck, { concurrency: checkConcurrency, discard: true })
    return due.length < batch ? due.length : due.length + (yield* round)
  })

  return { what: "Checking domains", every: "1 minute", round }
})
