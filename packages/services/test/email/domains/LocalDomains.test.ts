import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { DomainChecks, recheckDomains } from "@switchboard/services/email/domains/DomainChecks"
import { DomainRepo, MailRouting } from "@switchboard/services/email/domains/DomainRepo"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { LocalDomains } from "@switchboard/services/email/domains/LocalDomains"
import { ReceivingDomains } from "@switchboard/services/email/receiving/addresses/ReceivingDomains"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { DnsFailed, DnsResolver } from "@switchboard/services/network/DnsResolver"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { MasterKey, SecretBox } from "@switchboard/services/SecretBox"
import { OwnStoreLive } from "@switchboard/store/testing/StoreLive"
import { Array, Effect, Layer, Option, Redacted, Schema, TestClock, TestContext } from "effect"

const lookupFailure = new DnsFailed({ message: "DNS is not available in this test" })

/** A DNS resolver whose lookups all fail. */
const NoNameServers = Layer.succeed(DnsResolver, {
  txt: () => lookupFailure,
  mx: () => lookupFailure,
  ns: () => lookupFailure,
  alias: () => lookupFailure,
  addresses: () => lookupFailure,
  names: () => lookupFailure
})

const Live = LocalDomains.Default.pipe(
  Layer.provideMerge(Layer.mergeAll(Domains.Default, ReceivingDomains.Default, Organizations.Default)),
  Layer.provide(Senders.Default),
  Layer.provideMerge(DomainChecks.Default),
  Layer.provideMerge(Layer.merge(NoNameServers, SecretBox.Live)),
  Layer.provide(
    Layer.succeed(MailRouting, { mailHostname: "localhost", spfInclude: null, publicHost: "links.example.net" })
  ),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))),
  Layer.provideMerge(OwnStoreLive)
)

const options = { excludeTestServices: true } as const

const address = Schema.decodeSync(EmailAddress)
const sender = address("Hello@localhost.test")

const createOrganization = (slug: string, email = sender) =>
  Effect.flatMap(Organizations, ({ create }) => create({ name: slug, slug, plan: "unlimited", sender: email }))

const ensureDomain = Effect.flatMap(LocalDomains, ({ ensure }) => ensure(sender))

const allDomains = Effect.flatMap(DomainRepo, ({ listAll }) => listAll)

const receivingAddresses = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT organization_id AS "organizationId", address FROM receiving_addresses`
)

layer(Live, options)("LocalDomains on PostgreSQL", (it) => {
  it.effect("creates no domain if no organization sends from it", () =>
    Effect.gen(function* () {
      yield* createOrganization("elsewhere", address("us@example.com"))
      assert.deepStrictEqual(yield* ensureDomain, Option.none())
      assert.deepStrictEqual(yield* allDomains, [])
    })
  )

  it.effect(
    "gives the domain to the organization with the oldest sender, verified and receiving, also with concurrent processes",
    () =>
      Effect.gen(function* () {
        const first = yield* createOrganization("first")
        const second = yield* createOrganization("second")
        const owners = yield* Effect.replicateEffect(ensureDomain, 4, { concurrency: "unbounded" })
        assert.include(Array.getSomes(owners), first.id)
        assert.deepStrictEqual(yield* ensureDomain, Option.some(first.id))
        const [domain, ...others] = yield* allDomains
        assert.isEmpty(others)
        assert.deepInclude(domain, {
          organizationId: first.id,
          domain: "localhost.test",
          status: "verified",
          failingSince: null,
          receiving: true
        })
        assert.isNotNull(domain?.verifiedAt)
        assert.deepStrictEqual(yield* receivingAddresses, [
          { organizationId: first.id, address: "hello@localhost.test" }
        ])

        const domains = yield* Domains
        for (const { id } of [first, second]) {
          const { _tag } = yield* Effect.flip(domains.create(id, { domain: "localhost.test" }))
          assert.strictEqual(_tag, "ConflictError")
        }
      })
  )

  it.effect("keeps the domain verified without DNS lookups", () =>
    Effect.gen(function* () {
      const domains = yield* Domains
      const [stored = assert.fail("the domain is missing")] = yield* allDomains
      const { id, organizationId } = stored
      assert.deepStrictEqual((yield* domains.get(organizationId, id)).dnsRecords, [])
      assert.include(yield* domains.verify(organizationId, "localhost.test"), { success: true })
      const report = yield* domains.status(organizationId, id)
      assert.deepStrictEqual([report.status, report.records], ["verified", []])
      const { round } = yield* recheckDomains
      yield* TestClock.setTime(new Date("2100-01-01T00:00:00Z"))
      assert.strictEqual(yield* round, 1)
      assert.strictEqual((yield* domains.get(organizationId, id)).status, "verified")
      yield* domains.rotateDkim(organizationId, id)
      const [rotated] = yield* allDomains
      assert.deepStrictEqual([stored.activeSelector, rotated?.activeSelector], ["sm1", "sm2"])
    }).pipe(Effect.provide(TestContext.TestContext))
  )

  it.effect("completes a partly created domain and keeps changes of its owner", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { enable } = yield* ReceivingDomains
      yield* sql`DELETE FROM receiving_addresses`
      yield* sql`UPDATE email_domains SET receiving = false`
      const owner = Option.getOrThrow(yield* ensureDomain)
      assert.lengthOf(yield* receivingAddresses, 1)
      yield* enable(owner, { domain: "localhost.test", addresses: ["help"] })
      assert.deepStrictEqual(yield* ensureDomain, Option.some(owner))
      assert.deepStrictEqual(yield* receivingAddresses, [{ organizationId: owner, address: "help@localhost.test" }])
    })
  )
})
