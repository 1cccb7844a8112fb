import { recordAdvice } from "@switchboard/domain/email/domains/ExamineDomain"
import { localDomain } from "@switchboard/domain/email/domains/LocalDomain"
import { hostnameAdvice, isPublicHostname } from "@switchboard/domain/email/domains/MailHostname"
import type { Finding } from "@switchboard/domain/system/Finding"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { DomainRepo, type StoredDomain } from "@switchboard/services/email/domains/DomainRepo"
import { MailRouting } from "@switchboard/services/email/domains/MailRouting"
import { Effect } from "effect"
import { slugOf } from "../organizations/NamedOrganization.js"
import { failedCheck } from "./FailedCheck.js"

/** Maximum concurrent DNS lookups of domains. */
const maxLookups = 10

const domainFinding = Effect.fnUntraced(function* (stored: StoredDomain) {
  const { examine } = yield* DomainChecks
  const { domain, organizationId, status } = stored
  const subject = `DNS records of ${domain} (${status}, organization ${yield* slugOf(organizationId)})`
  return yield* Effect.match(examine(stored), {
    onFailure: failedCheck(subject),
    onSuccess: (examined): Finding => {
      const advice = examined.flatMap((record) => recordAdvice(record) ?? [])
      if (advice.length === 0) return { level: "ok", subject }
      const isComplete = examined.every(({ ok, required }) => ok || !required)
      return { level: isComplete ? "warning" : "error", subject, advice }
    }
  })
})

/** Checks that other hosts can resolve MAIL_HOSTNAME, which MX records name. The local domain has no public records. */
export const hostnameFinding = (domains: ReadonlyArray<string>, mailHostname: string): ReadonlyArray<Finding> =>
  domains.every((name) => name === localDomain)
    ? []
    : [
        {
          subject: `MAIL_HOSTNAME (${mailHostname})`,
          ...(isPublicHostname(mailHostname)
            ? { level: "ok" as const }
            : { level: "error" as const, advice: [hostnameAdvice(mailHostname)] })
        }
      ]

/** Checks the DNS records of the domains of all organizations. The advice is for the administrator of the zone. */
export const domainFindings = Effect.gen(function* () {
  const { mailHostname } = yield* MailRouting
  const domains = yield* Effect.flatMap(DomainRepo, ({ listAll }) => listAll)
  return [
    ...hostnameFinding(
      domains.map(({ domain }) => domain),
      mailHostname
    ),
    ...(yield* Effect.forEach(domains, domainFinding, { concurrency: maxLookups }))
  ]
}).pipe(Effect.catchAll((error) => Effect.succeed<ReadonlyArray<Finding>>([failedCheck("Domains")(error)])))
