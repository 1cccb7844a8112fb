import { ConflictError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import { wantedRecords } from "@switchboard/domain/email/domains/DomainRecords"
import { DomainReport } from "@switchboard/domain/email/domains/DomainReport"
import { type DomainVerdict, nextCheck, standingAfter } from "@switchboard/domain/email/domains/DomainStanding"
import type { EmailDomainId, EmailDomainStatus } from "@switchboard/domain/email/domains/EmailDomain"
import { examineDomain, type FoundRecords, recordReport, stands } from "@switchboard/domain/email/domains/ExamineDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option } from "effect"
import { DnsResolver } from "../../network/DnsResolver.js"
import { verifiedWithDomain } from "../senders/VerifiedWithDomain.js"
import { domainEvent, factsOf } from "./DescribeDomain.js"
import { DomainRepo, type StoredDomain } from "./DomainRepo.js"
import { dnsError, lookUpRecords } from "./LookUpDomain.js"
import { MailRouting } from "./MailRouting.js"

/** The answer where the organization has no such domain. */
export const noDomain = (id: string) => new ResourceNotFoundError({ resource: "domain", id })

/** What is told when a domain comes to a status. */
const toldOf = {
  verified: "email_domain.verified",
  degraded: "email_domain.degraded",
  failed: "email_domain.failed"
} as const satisfies Partial<Record<EmailDomainStatus, string>>

/** Domains held against what name servers say of them. */
export class DomainChecks extends Effect.Service<DomainChecks>()("services/DomainChecks", {
  effect: Effect.gen(function* () {
    const repo = yield* DomainRepo
    const dns = yield* DnsResolver
    const route = yield* MailRouting

    const lookUp = (stored: StoredDomain) => lookUpRecords(dns, wantedRecords(factsOf(stored), route))

    /** What is found, beside what is asked for. */
    const examine = (stored: StoredDomain) =>
      Effect.map(lookUp(stored), (found) => examineDomain(factsOf(stored), route, found))

    /** A domain after a look-up, null for one that nobody answered; judged by what is asked for when it is written. */
    const settled = Effect.fnUntraced(function* (present: StoredDomain, found: FoundRecords | null) {
      const now = yield* DateTime.now
      const verdict: DomainVerdict =
        found === null ? "unknown" : stands(examineDomain(factsOf(present), route, found)) ? "stands" : "falls"
      const standing = standingAfter(present, verdict, now)
      const changed = standing.status !== present.status
      const domain: StoredDomain = {
        ...present,
        ...standing,
        nextCheckAt: nextCheck(standing, present.createdAt, verdict, now),
        updatedAt: changed ? now : present.updatedAt
      }
      const events =
        changed && domain.status !== "pending" ? [yield* domainEvent(toldOf[domain.status], domain, route)] : []
      // Not only when it becomes that: one may have been added while this was decided.
      return {
        domain,
        newKey: null,
        events,
        ...(domain.status === "verified" ? { verifySenders: verifiedWithDomain } : {})
      }
    })

    /** What comes of a look-up is kept. None if the domain was removed meanwhile. */
    const settle = ({ id, organizationId }: StoredDomain, found: FoundRecords | null) =>
      repo.change(organizationId, id, (present) => settled(present, found))

    const byName = (organization: OrganizationId, domain: string) =>
      Effect.flatMap(
        repo.findByName(organization, domain),
        Effect.mapError(() => noDomain(domain))
      )

    /** Looks a domain up and keeps what comes of it; whether all stands that must. */
    const verify = Effect.fn("DomainChecks.verify")(function* (organization: OrganizationId, name: string) {
      const stored = yield* byName(organization, name)
      if (yield* repo.isVerifiedElsewhere(organization, name)) {
        return yield* new ConflictError({
          message: `The domain ${name} is verified by another organization`,
          resource: "domain"
        })
      }
      const found = yield* Effect.mapError(lookUp(stored), dnsError)
      const settledNow = yield* Effect.flatMap(
        settle(stored, found),
        Effect.mapError(() => noDomain(name))
      )
      return { success: settledNow.domain.status === "verified" }
    })

    const report = (stored: StoredDomain) =>
      Effect.map(
        Effect.mapError(examine(stored), dnsError),
        (examined) =>
          new DomainReport(
            {
              id: stored.id,
              domain: stored.domain,
              status: stored.status,
              ...(stored.verifiedAt === null ? {} : { verifiedAt: stored.verifiedAt }),
              records: examined.map(recordReport)
            },
            { disableValidation: true }
          )
      )

    /** How a domain stands, and what name servers say of it at this moment; nothing is kept of it. */
    const status = Effect.fn("DomainChecks.status")(function* (organization: OrganizationId, id: EmailDomainId) {
      const found = yield* repo.find(organization, id)
      return yield* Option.match(found, { onNone: () => noDomain(id), onSome: report })
    })

    const statusByName = Effect.fn("DomainChecks.statusByName")(function* (organization: OrganizationId, name: string) {
      return yield* report(yield* byName(organization, name))
    })

    /** Looks a domain up because its time has come. One that another organization has verified meanwhile waits on. */
    const recheck = (stored: StoredDomain) =>
      Effect.option(lookUp(stored)).pipe(
        Effect.flatMap((found) => settle(stored, Option.getOrNull(found))),
        Effect.catchTag("ConflictError", () => settle(stored, null)),
        Effect.catchTag("ConflictError", () => Effect.succeedNone)
      )

    return { verify, status, statusByName, examine, recheck } as const
  })
}) {}
