import { createPublicKey } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { EmailDomain, EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { MailRouting } from "@switchboard/services/email/domains/MailRouting"
import { recheckDomains } from "@switchboard/services/email/domains/RecheckDomains"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { SecretBox } from "@switchboard/services/SecretBox"
import { MasterKey } from "@switchboard/services/Signatures"
import { DomainRepoSql } from "@switchboard/store/email/domains/DomainRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { TestDatabase, TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { DateTime, Effect, Layer, Option, Redacted, TestClock } from "effect"
import { v7 } from "uuid"
import { dnsInMemory } from "./DnsInMemory.js"

const dns = dnsInMemory()

const Live = Layer.mergeAll(Domains.Default, SigningKeys.Default).pipe(
  Layer.provide(Layer.mock(Senders, { _tag: "services/Senders", forget: () => Effect.void })),
  Layer.provideMerge(DomainChecks.Default),
  Layer.provideMerge(Layer.mergeAll(DomainRepoSql, OrganizationRepoSql, dns.layer, SecretBox.Live)),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))),
  Layer.provide(Layer.succeed(MailRouting, { mailHostname: "mail.switchboard.test", spfInclude: null })),
  Layer.provideMerge(TestDatabase.pipe(Layer.provide(TestDatabaseUrl.Live)))
)

const start = DateTime.unsafeMake("2026-11-20T09:30:00.000Z")
const atStart = TestClock.setTime(DateTime.toEpochMillis(start))

/** A name that no other test has. */
const freshName = Effect.sync(() => `d${v7().replaceAll("-", "")}.test`)

const made = Effect.fnUntraced(function* (organization?: OrganizationId, domain?: string) {
  const owner = organization ?? (yield* makeOrganization())
  const created = yield* Effect.flatMap(Domains, (domains) =>
    Effect.flatMap(domain === undefined ? freshName : Effect.succeed(domain), (name) =>
      domains.create(owner, { domain: name })
    )
  )
  return { organization: owner, created }
})

/** A domain whose records stand. */
const verified = Effect.fnUntraced(function* (organization?: OrganizationId, domain?: string) {
  const domains = yield* Domains
  const one = yield* made(organization, domain)
  dns.publish(one.created.dnsRecords)
  assert.deepStrictEqual(yield* domains.verify(one.organization, one.created.domain), { success: true })
  return one
})

const forget = ({ dnsRecords }: EmailDomain) => {
  for (const { name, type } of dnsRecords) dns.zone.delete(`${type} ${name}`)
}

const eventsOf = (organization: OrganizationId) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<{
        type: string
        subject: string
        status: string
      }>`SELECT type, subject_id AS subject, data->>'status' AS status
      FROM events WHERE organization_id = ${organization} ORDER BY id`
  )

const typesOf = (organization: OrganizationId) =>
  Effect.map(eventsOf(organization), (rows) => rows.map(({ type }) => type))

const statusOf = (organization: OrganizationId, id: EmailDomainId) =>
  Effect.flatMap(Domains, (domains) => Effect.map(domains.get(organization, id), ({ status }) => status))

/** Lets so much time pass, a round of the chore each minute that matters. */
const recheckAfter = Effect.fnUntraced(function* (minutes: number) {
  yield* TestClock.adjust(`${minutes} minutes`)
  const { round } = yield* recheckDomains
  yield* round
})

const nextCheckIn = (organization: OrganizationId, id: EmailDomainId) =>
  Effect.gen(function* () {
    const found = yield* Effect.flatMap(DomainRepo, (repo) => repo.find(organization, id))
    const { nextCheckAt } = yield* found
    return DateTime.distance(yield* DateTime.now, nextCheckAt) / 60_000
  })

const signs = (organization: OrganizationId, domain: string) =>
  Effect.gen(function* () {
    const { signingKeyOf } = yield* SigningKeys
    const key = yield* signingKeyOf(organization, domain, yield* DateTime.now)
    return Option.getOrNull(Option.map(key, ({ selector }) => selector))
  })

const sends = Effect.fnUntraced(function* (organization: OrganizationId, domain: string) {
  const repo = yield* DomainRepo
  return yield* repo.sends(organization, domain, DateTime.subtract(yield* DateTime.now, { hours: 72 }))
})

layer(Live, { timeout: "300 seconds" })("Domains, on PostgreSQL", (it) => {
  it.effect("are made with two keys and all that is to be published, their private keys sealed", () =>
    Effect.gen(function* () {
      yield* atStart
      const { created, organization } = yield* made()
      const domains = yield* Domains
      const sql = yield* SqlClient.SqlClient
      assert.strictEqual(created.status, "pending")
      assert.isUndefined(created.verifiedAt)
      assert.match(created.verificationToken, /^[0-9a-f]{32}$/)
      assert.strictEqual(new Set(created.dkimTokens).size, 2)
      for (const token of created.dkimTokens) {
        const key = createPublicKey({ key: Buffer.from(token, "base64"), format: "der", type: "spki" })
        assert.strictEqual(key.asymmetricKeyDetails?.modulusLength, 2048)
        assert.isTrue(created.dnsRecords.some(({ value }) => value === `v=DKIM1; k=rsa; p=${token}`))
      }
      assert.deepStrictEqual(yield* domains.get(organization, created.id), created)
      const [row] = yield* sql<{ text: string }>`SELECT d::text || encode(sm1_private_key, 'escape') AS text
        FROM email_domains AS d WHERE id = ${created.id}`
      assert.notInclude(row?.text, "PRIVATE KEY")
      assert.deepStrictEqual(yield* eventsOf(organization), [
        { type: "email_domain.created", subject: created.id, status: "pending" }
      ])
    })
  )

  it.effect("are named once in an organization, also by two at once", () =>
    Effect.gen(function* () {
      yield* atStart
      const domains = yield* Domains
      const organization = yield* makeOrganization()
      const name = yield* freshName
      const tries = yield* Effect.all(
        [1, 2, 3].map(() => Effect.either(domains.create(organization, { domain: name }))),
        { concurrency: 3 }
      )
      assert.lengthOf(
        tries.filter((one) => one._tag === "Right"),
        1
      )
      for (const one of tries) {
        if (one._tag === "Left") assert.include(one.left, { _tag: "ConflictError", resource: "domain" })
      }
      assert.lengthOf(yield* eventsOf(organization), 1)
      // Another organization may ask for it too.
      yield* made(undefined, name)
    })
  )

  it.effect("are listed newest first, by status and part of the name, each to its own", () =>
    Effect.gen(function* () {
      yield* atStart
      const domains = yield* Domains
      const { created: first, organization } = yield* verified()
      yield* TestClock.adjust("1 second")
      const { created: second } = yield* made(organization)
      yield* made()
      const names = (filters: Parameters<typeof domains.list>[1], page = { page: 1, limit: 20 }) =>
        Effect.map(domains.list(organization, filters, page), ({ items }) => items.map(({ domain }) => domain))
      assert.deepStrictEqual(yield* names({}), [second.domain, first.domain])
      assert.deepStrictEqual(yield* names({}, { page: 2, limit: 1 }), [first.domain])
      assert.deepStrictEqual(yield* names({ status: "verified" }), [first.domain])
      assert.deepStrictEqual(yield* names({ search: second.domain.slice(4, 30).toUpperCase() }), [second.domain])
      assert.deepStrictEqual(yield* names({ search: "%" }), [])
    })
  )

  it.effect("are verified when their records stand, not before, and told truly what stands", () =>
    Effect.gen(function* () {
      yield* atStart
      const domains = yield* Domains
      const { created, organization } = yield* made()
      const name = created.domain
      assert.deepStrictEqual(yield* domains.verify(organization, name), { success: false })
      dns.publish(created.dnsRecords)
      dns.zone.set(`TXT sm2._domainkey.${name}`, ["v=DKIM1; k=rsa; p=AAAA"])
      dns.zone.delete(`TXT _dmarc.${name}`)
      assert.deepStrictEqual(yield* domains.verify(organization, name), { success: false })
      const report = yield* domains.status(organization, created.id)
      assert.deepStrictEqual(
        report.records.map(({ found, name: of, ok }) => [of, ok, found.length]),
        [
          [`_switchboard.${name}`, true, 1],
          [`sm1._domainkey.${name}`, true, 1],
          [`sm2._domainkey.${name}`, false, 1],
          [`bounce.${name}`, true, 1],
          [`bounce.${name}`, true, 1],
          [`_dmarc.${name}`, false, 0]
        ]
      )
      assert.deepStrictEqual(report.records[2]?.found, ["v=DKIM1; k=rsa; p=AAAA"])
      assert.deepStrictEqual(yield* domains.statusByName(organization, name), report)
      assert.strictEqual(yield* statusOf(organization, created.id), "pending")
      dns.publish(created.dnsRecords.filter(({ name: of }) => of.startsWith("sm2")))
      yield* TestClock.adjust("1 minute")
      // What is only looked at is not kept.
      yield* domains.statusByName(organization, name)
      assert.strictEqual(yield* statusOf(organization, created.id), "pending")
      assert.deepStrictEqual(yield* domains.verify(organization, name), { success: true })
      const after = yield* domains.get(organization, created.id)
      assert.strictEqual(after.status, "verified")
      assert.strictEqual(after.verifiedAt?.epochMillis, start.epochMillis + 60_000)
      assert.strictEqual(after.updatedAt.epochMillis, start.epochMillis + 60_000)
      assert.deepStrictEqual(yield* typesOf(organization), ["email_domain.created", "email_domain.verified"])
      assert.deepStrictEqual(yield* domains.verify(organization, name), { success: true })
      assert.lengthOf(yield* eventsOf(organization), 2)
    })
  )

  it.effect("of others are like none", () =>
    Effect.gen(function* () {
      yield* atStart
      const domains = yield* Domains
      const { created } = yield* verified()
      const stranger = yield* makeOrganization()
      for (const asked of [
        Effect.flip(domains.get(stranger, created.id)),
        Effect.flip(domains.status(stranger, created.id)),
        Effect.flip(domains.remove(stranger, created.id)),
        Effect.flip(domains.rotateDkim(stranger, created.id))
      ]) {
        assert.include(yield* asked, { _tag: "ResourceNotFoundError", resource: "domain", id: created.id })
      }
      for (const asked of [
        Effect.flip(domains.verify(stranger, created.domain)),
        Effect.flip(domains.statusByName(stranger, created.domain)),
        Effect.flip(domains.verify(stranger, ""))
      ]) {
        assert.include(yield* asked, { _tag: "ResourceNotFoundError", resource: "domain" })
      }
      assert.strictEqual(yield* signs(stranger, created.domain), null)
      assert.isFalse(yield* sends(stranger, created.domain))
    })
  )

  it.effect("say that the name servers failed, and stay as they are", () =>
    Effect.gen(function* () {
      yield* atStart
      const domains = yield* Domains
      const { created, organization } = yield* verified()
      dns.zone.set(`MX bounce.${created.domain}`, "fails")
      for (const asked of [
        Effect.flip(domains.verify(organization, created.domain)),
        Effect.flip(domains.status(organization, created.id)),
        Effect.flip(domains.rotateDkim(organization, created.id))
      ]) {
        assert.include(yield* asked, { _tag: "ExternalServiceError", provider: "dns" })
      }
      assert.strictEqual(yield* statusOf(organization, created.id), "verified")
      yield* recheckAfter(25 * 60)
      assert.strictEqual(yield* statusOf(organization, created.id), "verified")
      assert.strictEqual(yield* nextCheckIn(organization, created.id), 15)
    })
  )

  it.effect("are verified by the first organization alone", () =>
    Effect.gen(function* () {
      yield* atStart
      const domains = yield* Domains
      const repo = yield* DomainRepo
      const { created: own, organization } = yield* verified()
      const { created: late, organization: other } = yield* made(undefined, own.domain)
      // The answers of the name servers do not count.
      const refused = { _tag: "ConflictError", resource: "domain" } as const
      assert.include(yield* Effect.flip(domains.verify(other, own.domain)), refused)
      dns.publish(late.dnsRecords)
      assert.include(yield* Effect.flip(domains.verify(other, own.domain)), refused)
      // Even if both had looked before one of them wrote.
      const forced = repo.change(other, late.id, (domain) =>
        Effect.succeed({ domain: { ...domain, status: "verified", verifiedAt: start }, newKey: null, events: [] })
      )
      assert.include(yield* Effect.flip(forced), { _tag: "ConflictError", resource: "domain" })
      assert.strictEqual(yield* statusOf(other, late.id), "pending")
      // The chore leaves it as it is, and asks again later.
      yield* recheckAfter(6)
      assert.strictEqual(yield* statusOf(other, late.id), "pending")
      assert.strictEqual(yield* nextCheckIn(other, late.id), 5)
      yield* domains.remove(organization, own.id)
      assert.deepStrictEqual(yield* domains.verify(other, own.domain), { success: true })
    })
  )

  it.effect("that are pending are looked up every 5 minutes, then hourly, then daily, and verified by that", () =>
    Effect.gen(function* () {
      yield* atStart
      const { created, organization } = yield* made()
      assert.strictEqual(yield* nextCheckIn(organization, created.id), 5)
      yield* recheckAfter(5)
      assert.strictEqual(yield* nextCheckIn(organization, created.id), 5)
      yield* recheckAfter(56)
      assert.strictEqual(yield* nextCheckIn(organization, created.id), 60)
      yield* recheckAfter(72 * 60)
      assert.strictEqual(yield* nextCheckIn(organization, created.id), 1440)
      dns.publish(created.dnsRecords)
      yield* recheckAfter(1439)
      assert.strictEqual(yield* statusOf(organization, created.id), "pending")
      yield* recheckAfter(1)
      assert.strictEqual(yield* statusOf(organization, created.id), "verified")
      assert.deepStrictEqual(yield* typesOf(organization), ["email_domain.created", "email_domain.verified"])
    })
  )

  it.effect("whose records are gone are degraded, send 72 hours more, fail, and come back by themselves", () =>
    Effect.gen(function* () {
      yield* atStart
      const { created, organization } = yield* verified()
      const name = created.domain
      forget(created)
      yield* recheckAfter(1440)
      assert.strictEqual(yield* statusOf(organization, created.id), "degraded")
      assert.strictEqual(yield* nextCheckIn(organization, created.id), 5)
      assert.isTrue(yield* sends(organization, name))
      assert.strictEqual(yield* signs(organization, name), "sm1")
      yield* recheckAfter(72 * 60 - 1)
      assert.isTrue(yield* sends(organization, name))
      assert.strictEqual(yield* nextCheckIn(organization, created.id), 1)
      // The time is over without a look-up.
      yield* TestClock.adjust("1 minute")
      assert.isFalse(yield* sends(organization, name))
      assert.strictEqual(yield* signs(organization, name), null)
      assert.strictEqual(yield* statusOf(organization, created.id), "degraded")
      yield* recheckAfter(0)
      assert.strictEqual(yield* statusOf(organization, created.id), "failed")
      assert.isFalse(yield* sends(organization, name))
      dns.publish(created.dnsRecords)
      yield* recheckAfter(1440)
      assert.strictEqual(yield* statusOf(organization, created.id), "verified")
      assert.isTrue(yield* sends(organization, name))
      forget(created)
      yield* recheckAfter(1440)
      dns.publish(created.dnsRecords)
      yield* recheckAfter(5)
      assert.deepStrictEqual(yield* typesOf(organization), [
        "email_domain.created",
        "email_domain.verified",
        "email_domain.degraded",
        "email_domain.failed",
        "email_domain.verified",
        "email_domain.degraded",
        "email_domain.verified"
      ])
    })
  )

  it.effect("are looked up by one worker of all", () =>
    Effect.gen(function* () {
      yield* atStart
      const repo = yield* DomainRepo
      const { created } = yield* made()
      yield* TestClock.adjust("5 minutes")
      const now = yield* DateTime.now
      const later = DateTime.add(now, { minutes: 10 })
      const taken = yield* Effect.all(
        [1, 2, 3, 4].map(() => repo.takeDue(now, later, 50)),
        { concurrency: 4 }
      )
      assert.lengthOf(
        taken.flat().filter(({ id }) => id === created.id),
        1
      )
      const again = yield* repo.takeDue(later, DateTime.add(later, { minutes: 10 }), 50)
      assert.isTrue(again.some(({ id }) => id === created.id))
      assert.isAtMost((yield* repo.takeDue(DateTime.add(now, { days: 9 }), later, 1)).length, 1)
    })
  )

  it.effect("sign with the other key from a rotation on, which must stand before", () =>
    Effect.gen(function* () {
      yield* atStart
      const domains = yield* Domains
      const keys = yield* SigningKeys
      const { created, organization } = yield* verified()
      const name = created.domain
      const accepted = yield* DateTime.now
      yield* TestClock.adjust("1 second")
      const publicOf = Effect.fnUntraced(function* (since: DateTime.Utc) {
        const { privateKey, selector } = yield* Effect.flatten(keys.signingKeyOf(organization, name, since))
        const token = createPublicKey(privateKey).export({ type: "spki", format: "der" }).toString("base64")
        return [selector, token]
      })
      assert.deepStrictEqual(yield* publicOf(accepted), ["sm1", created.dkimTokens[0]])
      const rotated = yield* domains.rotateDkim(organization, created.id)
      assert.strictEqual(rotated.dkimTokens[1], created.dkimTokens[1])
      assert.notStrictEqual(rotated.dkimTokens[0], created.dkimTokens[0])
      // What had been accepted before may still be signed with the key that was known then; what comes after may not.
      assert.deepStrictEqual(yield* publicOf(accepted), ["sm1", created.dkimTokens[0]])
      assert.deepStrictEqual(yield* publicOf(yield* DateTime.now), ["sm2", created.dkimTokens[1]])
      assert.deepStrictEqual(yield* publicOf(accepted), ["sm2", created.dkimTokens[1]])
      // The next key is not published yet: the domain stays verified, but is not rotated again.
      assert.deepStrictEqual(yield* domains.verify(organization, name), { success: true })
      const refused = yield* Effect.flip(domains.rotateDkim(organization, created.id))
      assert.strictEqual(refused._tag, "ConflictError")
      assert.include(refused._tag === "ConflictError" ? refused.message : "", `sm1._domainkey.${name}`)
      dns.publish(rotated.dnsRecords)
      yield* domains.rotateDkim(organization, created.id)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* publicOf(accepted), ["sm1", rotated.dkimTokens[0]])
    })
  )

  it.effect("say with their key whether mail to them comes to us", () =>
    Effect.gen(function* () {
      yield* atStart
      const { signingKeyOf } = yield* SigningKeys
      const sql = yield* SqlClient.SqlClient
      const { created, organization } = yield* verified()
      const receives = Effect.gen(function* () {
        const key = yield* Effect.flatten(signingKeyOf(organization, created.domain, yield* DateTime.now))
        return key.receives
      })
      assert.isFalse(yield* receives)
      yield* sql`UPDATE email_domains SET receiving = true
        WHERE organization_id = ${organization} AND id = ${created.id}`
      assert.isTrue(yield* receives)
    })
  )

  it.effect("that are pending are rotated without further ado, and sign nothing", () =>
    Effect.gen(function* () {
      yield* atStart
      const domains = yield* Domains
      const { created, organization } = yield* made()
      const rotated = yield* domains.rotateDkim(organization, created.id)
      assert.notStrictEqual(rotated.dkimTokens[0], created.dkimTokens[0])
      assert.strictEqual(yield* signs(organization, created.domain), null)
    })
  )

  it.effect("are rotated once by two who ask at once", () =>
    Effect.gen(function* () {
      yield* atStart
      const domains = yield* Domains
      const { created, organization } = yield* verified()
      const both = yield* Effect.all(
        [1, 2].map(() => Effect.either(domains.rotateDkim(organization, created.id))),
        { concurrency: 2 }
      )
      assert.sameMembers(
        both.map(({ _tag }) => _tag),
        ["Right", "Left"]
      )
    })
  )

  it.effect("are removed for good, but not while a sender uses them", () =>
    Effect.gen(function* () {
      yield* atStart
      const domains = yield* Domains
      const sql = yield* SqlClient.SqlClient
      const { created, organization } = yield* verified()
      yield* sql`INSERT INTO email_senders (organization_id, id, email, name, verification_status, is_default,
          domain_id, created_at, updated_at)
        VALUES (${organization}, ${v7()}, ${`ada@${created.domain}`}, 'Ada', 'verified', false, ${created.id}, now(), now())`
      assert.include(yield* Effect.flip(domains.remove(organization, created.id)), {
        _tag: "ConflictError",
        resource: "domain"
      })
      assert.strictEqual(yield* statusOf(organization, created.id), "verified")
      yield* sql`DELETE FROM email_senders WHERE domain_id = ${created.id}`
      yield* domains.remove(organization, created.id)
      assert.strictEqual((yield* Effect.flip(domains.get(organization, created.id)))._tag, "ResourceNotFoundError")
      assert.strictEqual((yield* Effect.flip(domains.remove(organization, created.id)))._tag, "ResourceNotFoundError")
      assert.strictEqual((yield* eventsOf(organization)).at(-1)?.type, "email_domain.deleted")
      assert.isFalse(yield* sends(organization, created.domain))
      // It may be made again.
      yield* made(organization, created.domain)
    })
  )

  it.effect("tell who keeps their records", () =>
    Effect.gen(function* () {
      const { detectRegistrar } = yield* Domains
      dns.zone.set("NS shop.test", ["b.ns.cloudflare.com", "a.ns.cloudflare.com"])
      dns.zone.set("NS broken.test", "fails")
      const { guideUrl, ...found } = yield* detectRegistrar("mail.eu.shop.test")
      assert.deepStrictEqual(
        { ...found },
        {
          domain: "mail.eu.shop.test",
          nameservers: ["a.ns.cloudflare.com", "b.ns.cloudflare.com"],
          provider: "Cloudflare"
        }
      )
      assert.match(guideUrl ?? "", /^https:/)
      assert.deepStrictEqual(
        { ...(yield* detectRegistrar("unknown.test")) },
        { domain: "unknown.test", nameservers: [] }
      )
      assert.include(yield* Effect.flip(detectRegistrar("broken.test")), {
        _tag: "ExternalServiceError",
        provider: "dns"
      })
    })
  )
})
