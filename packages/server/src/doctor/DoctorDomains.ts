import { DnsResolverNode } from "@switchboard/channels/network/DnsResolverNode"
import { recordAdvice } from "@switchboard/domain/email/domains/ExamineDomain"
import { localDomain } from "@switchboard/domain/email/domains/LocalDomain"
import { hostnameAdvice, isPublicHostname } from "@switchboard/domain/email/domains/MailHostname"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { DomainRepo, type StoredDomain } from "@switchboard/services/email/domains/DomainRepo"
import { MailRouting } from "@switchboard/services/email/domains/MailRouting"
import { DomainRepoSql } from "@switchboard/store/email/domains/DomainRepoSql"
import { Effect, Layer } from "effect"
import { ServiceSettings } from "../settings/ServiceSettings.js"
import type { Finding } from "./Doctor.js"

/** Domains that are looked up at a time. */
const atATime = 10

const domainFinding = Effect.fnUntraced(function* (stored: StoredDomain) {
  const { examine } = yield* DomainChecks
  const { domain, organizationId, status } = stored
  const what = `the records of ${domain} stand (${status}, organization ${organizationId})`
  return yield* Effect.match(examine(stored), {
    onFailure: ({ message }): Finding => ({ well: false, what, advice: message }),
    onSuccess: (examined): Finding => {
      const advice = examined.flatMap((record) => recordAdvice(record) ?? []).join("\n       ")
      const well = examined.every(({ ok, required }) => ok || !required)
      if (!well) return { well, what, advice }
      return { well, what: advice === "" ? what : `${what}\n       ${advice}` }
    }
  })
})

/** Whether what domains are asked to publish leads here. The installation's own domain is nowhere published. */
export const hostnameFinding = (domains: ReadonlyArray<string>, mailHostname: string): ReadonlyArray<Finding> =>
  domains.every((name) => name === localDomain)
    ? []
    : [
        {
          well: isPublicHostname(mailHostname),
          what: `MAIL_HOSTNAME is a name that others find this host by (${mailHostname})`,
          advice: hostnameAdvice(mailHostname)
        }
      ]

/** What name servers say of each domain of all organizations, in words for whoever keeps its records. */
export const domainFindings = Effect.gen(function* () {
  const { mailHostname } = yield* MailRouting
  const domains = yield* Effect.flatMap(DomainRepo, ({ listAll }) => listAll)
  return [
    ...hostnameFinding(
      domains.map(({ domain }) => domain),
      mailHostname
    ),
    ...(yield* Effect.forEach(domains, domainFinding, { concurrency: atATime }))
  ]
}).pipe(
  Effect.catchAll(({ message }) =>
    Effect.succeed<ReadonlyArray<Finding>>([{ well: false, what: "the domains can be read", advice: message }])
  ),
  Effect.provide(
    DomainChecks.Default.pipe(
      Layer.provideMerge(Layer.merge(DnsResolverNode, DomainRepoSql)),
      Layer.provideMerge(ServiceSettings)
    )
  )
)
