import { ConflictError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import { expectedRecords } from "@switchboard/domain/email/domains/DomainRecords"
import { DomainReport } from "@switchboard/domain/email/domains/DomainReport"
import {
  type DomainCheckResult,
  nextCheck,
  nextVerification
} from "@switchboard/domain/email/domains/DomainVerification"
import type { EmailDomainId, EmailDomainStatus } from "@switchboard/domain/email/domains/EmailDomain"
import {
  examineDomain,
  type FoundRecords,
  hasRequiredRecords,
  recordReport
} from "@switchboard/domain/email/domains/ExamineDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option } from "effect"
import { DnsResolver } from "../../network/DnsResolver.js"
import { verifiedWithDomain } from "../senders/VerifiedWithDomain.js"
import { domainEvent, factsOf } from "./DescribeDomain.js"
import { DomainRepo, type StoredDomain } from "./DomainRepo.js"
import { dnsError, lookUpRecords } from "./LookUpDomain.js"
import { MailRouting } from "./MailRouting.js"

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
      const verdict: DomainCheckResult =
        found === null ? "unknown" : hasRequiredRecords(examineDomain(factsOf(present), route, found)) ? "pass" : "fail"
      const standing = nextVerification(present, verdict, now)
      const changed = standing.status !== present.status
      const domain: StoredDomain = {
        ...present,
        ...standing,
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
