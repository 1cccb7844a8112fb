import { hostnameAdvice, isPublicHostname, localDomain } from "@switchboard/domain/email/domains/DomainRecords"
import { recordAdvice } from "@switchboard/domain/email/domains/ExamineDomain"
import type { Finding } from "@switchboard/domain/system/SystemStatus"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { DomainRepo, MailRouting, type StoredDomain } from "@switchboard/services/email/domains/DomainRepo"
import { localDefaultSenders } from "@switchboard/store/email/senders/SenderRepoSql"
import { Effect, Option, Redacted } from "effect"
import { slugOf } from "../organizations/NamedOrganization.js"
import { Settings } from "../settings/Settings.js"
import { leavesMachine } from "../settings/SmtpServers.js"
import { failedCheck } from "./FailedCheck.js"

const subject = "Default senders"

const finding = (slugs: ReadonlyArray<string>): Finding =>
  slugs.length === 0
    ? { level: "ok", subject }
    : {
        level: "error",
        subject,
        advice: [
          `Mail of these organizations leaves over SMTP_URL from ${localDomain}, and its receivers refuse it or can't reply:`,
          slugs.join(", "),
          "Add a domain, then a sender of it with isDefault (docs/first-mail.md)."
        ]
      }

/** Checks that no default sender is of the local domain, if a relay on another host delivers its mail. */
export const senderFindings = Effect.gen(function* () {
  const { smtpUrl } = yield* Settings
  return Option.exists(smtpUrl, (servers) => leavesMachine(Redacted.value(servers)))
    ? [finding(yield* localDefaultSenders)]
    : []
}).pipe(Effect.catchAll((error) => Effect.succeed<ReadonlyArray<Finding>>([failedCheck(subject)(error)])))

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
