import { assert, it } from "@effect/vitest"
import type { EmailDomainStatus } from "@switchboard/domain/email/domains/EmailDomain"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { page } from "@switchboard/domain/Page"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { MailRouting } from "@switchboard/services/email/domains/MailRouting"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { SecretBox } from "@switchboard/services/SecretBox"
import { MasterKey } from "@switchboard/services/Signatures"
import { Effect, Layer, Option, Redacted } from "effect"
import { dnsInMemory } from "./DnsInMemory.js"

const organization = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")

/** Domains of an organization with the given number of domains per status. */
const withDomains = (counts: Readonly<Partial<Record<typeof EmailDomainStatus.Type, number>>>) => {
  const added: Array<string> = []
  const Repo = Layer.mock(DomainRepo, {
    findByName: () => Effect.succeed(Option.none()),
    list: (_, { status }, request) =>
      Effect.succeed(page([], status === undefined ? 0 : (counts[status] ?? 0), request)),
    insert: ({ domain }) => Effect.sync(() => void added.push(domain))
  })
  const layer = Domains.Default.pipe(
    Layer.provide(DomainChecks.Default),
    Layer.provide(
      Layer.mergeAll(
        Repo,
        dnsInMemory().layer,
        SecretBox.Live,
        Layer.mock(Senders, { _tag: "services/Senders", invalidate: () => Effect.void })
      )
    ),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))),
    Layer.provide(Layer.succeed(MailRouting, { mailHostname: "mail.example.net", spfInclude: null }))
  )
  const create = Effect.flatMap(Domains, (domains) => domains.create(organization, { domain: "example.com" }))
  return { added, create: Effect.provide(create, layer) }
}

it.effect("rejects a new domain for an organization with 50 unverified domains", () =>
  Effect.gen(function* () {
    const { added, create } = withDomains({ pending: 30, failed: 20 })
    const { _tag, message } = yield* Effect.flip(create)
    assert.deepStrictEqual(
      [_tag, message],
      ["ConflictError", "The organization has 50 domains that are not verified: verify or remove one first"]
    )
    assert.deepStrictEqual(added, [])
  })
)

it.effect("adds a domain to an organization with any number of verified domains", () =>
  Effect.gen(function* () {
    const { added, create } = withDomains({ pending: 29, failed: 20, verified: 500 })
    yield* create
    assert.deepStrictEqual(added, ["example.com"])
  })
)
