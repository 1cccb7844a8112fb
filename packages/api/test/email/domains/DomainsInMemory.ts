import { ConflictError } from "@switchboard/domain/Errors"
import { page } from "@switchboard/domain/Page"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { DomainRepo, type StoredDomain } from "@switchboard/services/email/domains/DomainRepo"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { MailRouting } from "@switchboard/services/email/domains/MailRouting"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { SecretBox } from "@switchboard/services/SecretBox"
import { MasterKey } from "@switchboard/services/Signatures"
import { dnsInMemory } from "@switchboard/services/testing/email/domains/DnsInMemory"
import { Array, Effect, Layer, Option, Redacted } from "effect"

/** What name servers say to the use cases of a test. */
export const dns = dnsInMemory()

/** Domains as the use cases make them, kept as long as the test runs. One that is called `used.test` is in use. */
export const domainsInMemory = () => {
  const rows = new Map<string, StoredDomain>()
  const all = () => [...rows.values()]
  const find: DomainRepo["Type"]["find"] = (organization, id) =>
    Effect.sync(() => Array.findFirst(all(), (one) => one.id === id && one.organizationId === organization))
  const findByName: DomainRepo["Type"]["findByName"] = (organization, domain) =>
    Effect.sync(() => Array.findFirst(all(), (one) => one.domain === domain && one.organizationId === organization))

  const Repo = Layer.mock(DomainRepo, {
    insert: (stored) => Effect.sync(() => void rows.set(stored.id, stored)),
    find,
    findByName,
    list: (organization, { search = "", status }, request) =>
      Effect.sync(() => {
        const own = all().filter(
          (one) =>
            one.organizationId === organization &&
            one.domain.includes(search) &&
            (status === undefined || one.status === status)
        )
        return page(own.reverse(), own.length, request)
      }),
    isVerifiedElsewhere: (organization, domain) =>
      Effect.sync(() =>
        all().some((one) => one.domain === domain && one.status === "verified" && one.organizationId !== organization)
      ),
    change: (organization, id, decide) =>
      Effect.flatMap(
        find(organization, id),
        Option.match({
          onNone: () => Effect.succeedNone,
          onSome: (present) =>
            Effect.asSome(Effect.tap(decide(present), ({ domain }) => Effect.sync(() => rows.set(id, domain))))
        })
      ),
    remove: (organization, id) =>
      Effect.flatMap(find(organization, id), (found) =>
        Option.exists(found, ({ domain }) => domain === "used.test")
          ? new ConflictError({ message: "The domain is in use: remove its senders first", resource: "domain" })
          : Effect.succeed(Option.isSome(found) && rows.delete(id))
      )
  })

  return Domains.Default.pipe(
    Layer.provide(DomainChecks.Default),
    Layer.provide(
      Layer.mergeAll(
        Repo,
        dns.layer,
        SecretBox.Live,
        Layer.mock(Senders, { _tag: "services/Senders", forget: () => Effect.void })
      )
    ),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))),
    Layer.provide(Layer.succeed(MailRouting, { mailHostname: "mail.example.net", spfInclude: null }))
  )
}
