import { createPublicKey } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { EmailDomain, EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { recheckDomains } from "@switchboard/services/email/domains/DomainChecks"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { makeDomain } from "@switchboard/store/testing/email/receiving/Fixtures"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { eventTypes, storedEvents } from "@switchboard/store/testing/StoredRows"
import { DateTime, Effect, Option, TestClock } from "effect"
import { v7 } from "uuid"
import { oneSucceeds } from "../../OneSucceeds.js"
import { dnsInMemory } from "./DnsInMemory.js"
import { domainsLive } from "./DomainsLive.js"

const dns = dnsInMemory()

const start = DateTime.unsafeMake("2026-11-20T09:30:00.000Z")
const setStartTime = TestClock.setTime(DateTime.toEpochMillis(start))

/** A domain name that no other test uses. */
const uniqueName = Effect.sync(() => `d${v7().replaceAll("-", "")}.test`)

const createDomain = Effect.fnUntraced(function* (organization?: OrganizationId, domain?: string) {
  const owner = organization ?? (yield* makeOrganization())
  const created = yield* Effect.flatMap(Domains, (domains) =>
    Effect.flatMap(domain === undefined ? uniqueName : Effect.succeed(domain), (name) =>
      domains.create(owner, { domain: name })
    )
  )
  return { organization: owner, created }
})

/** Creates a domain, publishes its records and verifies it. */
const createVerifiedDomain = Effect.fnUntraced(function* (organization?: OrganizationId, domain?: string) {
  const domains = yield* Domains
  const one = yield* createDomain(organization, domain)
  dns.publish(one.created.dnsRecords)
  assert.include(yield* domains.verify(one.organization, one.created.domain), { success: true })
  return one
})

const unpublish = ({ dnsRecords }: EmailDomain) => {
  for (const { name, type } of dnsRecords) dns.zone.delete(`${type} ${name}`)
}

const statusOf = (organization: OrganizationId, id: EmailDomainId) =>
  Effect.flatMap(Domains, (domains) => Effect.map(domains.get(organization, id), ({ status }) => status))

/** Advances the clock and runs one round of the recheck job. */
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

const signingSelector = (organization: OrganizationId, domain: string) =>
  Effect.gen(function* () {
    const { signingKeyOf } = yield* SigningKeys
    const key = yield* signingKeyOf(organization, domain, yield* DateTime.now)
    return Option.getOrNull(Option.map(key, ({ selector }) => selector))
  })

const canSend = Effect.fnUntraced(function* (organization: OrganizationId, domain: string) {
  const repo = yield* DomainRepo
  const degradedSince = DateTime.subtract(yield* DateTime.now, { hours: 72 })
  return Option.isSome(yield* repo.sends(organization, domain, degradedSince))
})

layer(domainsLive(dns.layer))("Domains on PostgreSQL", (it) => {
  it.effect("creates a domain with two DKIM keys and its DNS records, and encrypts the private keys", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const { created, organization } = yield* createDomain()
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
      const [row] = yield* sql<{ text: string }>`SELECT d::text || encode(s.value, 'escape') AS text
        FROM email_domains AS d JOIN secrets AS s ON s.owner = d.id || '/sm1' WHERE id = ${created.id}`
      assert.notInclude(row?.text, "PRIVATE KEY")
      const events = yield* storedEvents(organization)
      assert.deepStrictEqual(
        events.map(({ data, subject, type }) => [type, subject, data.status]),
        [["email_domain.created", created.id, "pending"]]
      )
    })
  )

  it.effect("uses the host for tracking while its record is found, which no status depends on", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const domains = yield* Domains
      const { signingKeyOf } = yield* SigningKeys
      const { created, organization } = yield* createVerifiedDomain()
      const host = `links.${created.domain}`
      const hostInUse = Effect.gen(function* () {
        yield* TestClock.adjust("6 seconds")
        const key = yield* signingKeyOf(organization, created.domain, yield* DateTime.now)
        return Option.getOrThrow(key).trackingDomain
      })
      const updated = yield* domains.update(organization, created.id, { trackClicks: true, trackingDomain: host })
      assert.deepInclude(updated, { trackOpens: false, trackClicks: true, trackingDomain: host, status: "verified" })
      assert.deepStrictEqual(
        updated.dnsRecords.filter(({ type }) => type === "CNAME").map(({ name, value }) => [name, value]),
        [[host, "links.example.net"]]
      )
      assert.isNull(yield* hostInUse)
      const state = Effect.map(domains.status(organization, created.id), ({ records }) => records.at(-1)?.state)
      assert.strictEqual(yield* state, "missing")
      dns.zone.set(`CNAME ${host}`, ["elsewhere.example.net"])
      assert.strictEqual(yield* state, "differs")
      dns.zone.set(`CNAME ${host}`, ["Links.example.NET."])
      assert.strictEqual(yield* state, "ok")
      assert.isNull(yield* hostInUse)
      // A new host is due at once.
      yield* recheckAfter(0)
      assert.strictEqual(yield* hostInUse, host)
      const kept = yield* domains.update(organization, created.id, { trackOpens: true })
      assert.deepInclude(kept, { trackOpens: true, trackClicks: true, trackingDomain: host })
      assert.strictEqual(yield* hostInUse, host)
      dns.zone.set(`TXT _switchboard.${created.domain}`, "fails")
      yield* recheckAfter(5)
      assert.strictEqual(yield* hostInUse, host)
      dns.publish(created.dnsRecords)
      dns.zone.delete(`CNAME ${host}`)
      yield* recheckAfter(15)
      assert.isNull(yield* hostInUse)
      assert.strictEqual(yield* statusOf(organization, created.id), "verified")
      const reset = yield* domains.update(organization, created.id, { trackClicks: null, trackingDomain: null })
      assert.deepInclude(reset, { trackOpens: true, trackClicks: false })
      assert.notProperty(reset, "trackingDomain")
    })
  )

  it.effect("rejects a host for tracking that has other records, or is that of the service", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const domains = yield* Domains
      const { created, organization } = yield* createDomain()
      const { domain, id } = created
      const names = [
        domain,
        ...["_switchboard", "_dmarc", "bounce", "sm1._domainkey"].map((label) => `${label}.${domain}`)
      ]
      const other = yield* makeOrganization()
      for (const trackingDomain of [...names, "links.example.net"]) {
        const attempts = [
          yield* Effect.flip(domains.update(organization, id, { trackingDomain })),
          yield* Effect.flip(domains.create(other, { domain, trackingDomain }))
        ]
        for (const error of attempts) {
          assert.strictEqual(error._tag, "ValidationError")
          assert.property("fields" in error ? error.fields : {}, "trackingDomain")
        }
      }
      assert.strictEqual((yield* Effect.flip(domains.update(other, id, {})))._tag, "ResourceNotFoundError")
      const elsewhere = yield* domains.create(other, {
        domain,
        trackingDomain: "go.shop.test",
        trackOpens: true
      })
      assert.deepInclude(elsewhere, { trackingDomain: "go.shop.test", trackOpens: true, trackClicks: false })
    })
  )

  it.effect("rejects a duplicate name in an organization, also with concurrent requests", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const domains = yield* Domains
      const organization = yield* makeOrganization()
      const name = yield* uniqueName
      yield* oneSucceeds(domains.create(organization, { domain: name }), "domain")
      assert.lengthOf(yield* storedEvents(organization), 1)
      // Another organization may create the same domain.
      yield* createDomain(undefined, name)
    })
  )

  it.effect("lists the organization's domains newest first, filtered by status and part of the name", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const domains = yield* Domains
      const { created: first, organization } = yield* createVerifiedDomain()
      yield* TestClock.adjust("1 second")
      const { created: second } = yield* createDomain(organization)
      yield* createDomain()
      const names = (filters: Parameters<typeof domains.list>[1], page = { page: 1, limit: 20 }) =>
        Effect.map(domains.list(organization, filters, page), ({ items }) => items.map(({ domain }) => domain))
      assert.deepStrictEqual(yield* names({}), [second.domain, first.domain])
      assert.deepStrictEqual(yield* names({}, { page: 2, limit: 1 }), [first.domain])
      assert.deepStrictEqual(yield* names({ status: "verified" }), [first.domain])
      assert.deepStrictEqual(yield* names({ search: second.domain.slice(4, 30).toUpperCase() }), [second.domain])
      assert.deepStrictEqual(yield* names({ search: "%" }), [])
    })
  )

  it.effect("verifies a domain once its required records are published and reports the records found", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const domains = yield* Domains
      const { created, organization } = yield* createDomain()
      const name = created.domain
      assert.include(yield* domains.verify(organization, name), { success: false })
      dns.publish(created.dnsRecords)
      dns.zone.set(`TXT sm2._domainkey.${name}`, ["v=DKIM1; k=rsa; p=AAAA"])
      dns.zone.delete(`TXT _dmarc.${name}`)
      assert.include(yield* domains.verify(organization, name), { success: false })
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
      // Reading the status does not change the stored domain.
      yield* domains.statusByName(organization, name)
      assert.strictEqual(yield* statusOf(organization, created.id), "pending")
      assert.include(yield* domains.verify(organization, name), { success: true })
      const after = yield* domains.get(organization, created.id)
      assert.strictEqual(after.status, "verified")
      assert.strictEqual(after.verifiedAt?.epochMillis, start.epochMillis + 60_000)
      assert.strictEqual(after.updatedAt.epochMillis, start.epochMillis + 60_000)
      assert.deepStrictEqual(yield* eventTypes(organization), ["email_domain.created", "email_domain.verified"])
      assert.include(yield* domains.verify(organization, name), { success: true })
      assert.lengthOf(yield* storedEvents(organization), 2)
    })
  )

  it.effect("fails with the provider dns if a lookup fails, and keeps the status", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const domains = yield* Domains
      const { created, organization } = yield* createVerifiedDomain()
      dns.zone.set(`MX bounce.${created.domain}`, "fails")
      for (const attempt of [
        Effect.flip(domains.verify(organization, created.domain)),
        Effect.flip(domains.status(organization, created.id)),
        Effect.flip(domains.rotateDkim(organization, created.id))
      ]) {
        assert.include(yield* attempt, { _tag: "ExternalServiceError", provider: "dns" })
      }
      assert.strictEqual(yield* statusOf(organization, created.id), "verified")
      yield* recheckAfter(25 * 60)
      assert.strictEqual(yield* statusOf(organization, created.id), "verified")
      assert.strictEqual(yield* nextCheckIn(organization, created.id), 15)
    })
  )

  it.effect("rejects verification of a domain that another organization has verified", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const domains = yield* Domains
      const repo = yield* DomainRepo
      const { created: own, organization } = yield* createVerifiedDomain()
      const { created: late, organization: other } = yield* createDomain(undefined, own.domain)
      // The conflict is reported regardless of the DNS records.
      const refused = { _tag: "ConflictError", resource: "domain" } as const
      assert.include(yield* Effect.flip(domains.verify(other, own.domain)), refused)
      dns.publish(late.dnsRecords)
      assert.include(yield* Effect.flip(domains.verify(other, own.domain)), refused)
      // Also if both organizations had looked up the records before one of them stored the result.
      const forced = repo.change(other, late.id, (domain) =>
        Effect.succeed({ domain: { ...domain, status: "verified", verifiedAt: start }, newKey: null, events: [] })
      )
      assert.include(yield* Effect.flip(forced), { _tag: "ConflictError", resource: "domain" })
      assert.strictEqual(yield* statusOf(other, late.id), "pending")
      // The recheck job leaves the domain pending and schedules the next check.
      yield* recheckAfter(6)
      assert.strictEqual(yield* statusOf(other, late.id), "pending")
      assert.strictEqual(yield* nextCheckIn(other, late.id), 5)
      yield* domains.remove(organization, own.id)
      assert.include(yield* domains.verify(other, own.domain), { success: true })
    })
  )

  it.effect(
    "degrades a domain without its records, lets it send for 72 hours, then fails it, and verifies it again",
    () =>
      Effect.gen(function* () {
        yield* setStartTime
        const { created, organization } = yield* createVerifiedDomain()
        const name = created.domain
        unpublish(created)
        yield* recheckAfter(1440)
        assert.strictEqual(yield* statusOf(organization, created.id), "degraded")
        assert.strictEqual(yield* nextCheckIn(organization, created.id), 5)
        assert.isTrue(yield* canSend(organization, name))
        assert.strictEqual(yield* signingSelector(organization, name), "sm1")
        yield* recheckAfter(72 * 60 - 1)
        assert.isTrue(yield* canSend(organization, name))
        assert.strictEqual(yield* nextCheckIn(organization, created.id), 1)
        // The 72 hours end also without a recheck.
        yield* TestClock.adjust("1 minute")
        assert.isFalse(yield* canSend(organization, name))
        assert.strictEqual(yield* signingSelector(organization, name), null)
        assert.strictEqual(yield* statusOf(organization, created.id), "degraded")
        yield* recheckAfter(0)
        assert.strictEqual(yield* statusOf(organization, created.id), "failed")
        assert.isFalse(yield* canSend(organization, name))
        dns.publish(created.dnsRecords)
        yield* recheckAfter(1440)
        assert.strictEqual(yield* statusOf(organization, created.id), "verified")
        assert.isTrue(yield* canSend(organization, name))
        unpublish(created)
        yield* recheckAfter(1440)
        dns.publish(created.dnsRecords)
        yield* recheckAfter(5)
        assert.deepStrictEqual(yield* eventTypes(organization), [
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

  it.effect("leases a due domain to one worker only", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const repo = yield* DomainRepo
      const { created } = yield* createDomain()
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

  it.effect("signs new mail with the other DKIM key after a rotation, which requires its published record", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const domains = yield* Domains
      const keys = yield* SigningKeys
      const { created, organization } = yield* createVerifiedDomain()
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
      // Until mail accepted after the rotation is signed, earlier mail is signed with the old cached key.
      assert.deepStrictEqual(yield* publicOf(accepted), ["sm1", created.dkimTokens[0]])
      assert.deepStrictEqual(yield* publicOf(yield* DateTime.now), ["sm2", created.dkimTokens[1]])
      assert.deepStrictEqual(yield* publicOf(accepted), ["sm2", created.dkimTokens[1]])
      // The record of the next key is not published yet: the domain stays verified, but a rotation is rejected.
      assert.include(yield* domains.verify(organization, name), { success: true })
      const refused = yield* Effect.flip(domains.rotateDkim(organization, created.id))
      assert.strictEqual(refused._tag, "ConflictError")
      assert.include(refused._tag === "ConflictError" ? refused.message : "", `sm1._domainkey.${name}`)
      dns.publish(rotated.dnsRecords)
      yield* domains.rotateDkim(organization, created.id)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* publicOf(accepted), ["sm1", rotated.dkimTokens[0]])
    })
  )

  it.effect("returns with the signing key whether the domain receives mail here", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const { signingKeyOf } = yield* SigningKeys
      const sql = yield* SqlClient.SqlClient
      const { created, organization } = yield* createVerifiedDomain()
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

  it.effect("rotates the keys of a pending domain without a DNS check, and does not sign for it", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const domains = yield* Domains
      const { created, organization } = yield* createDomain()
      const rotated = yield* domains.rotateDkim(organization, created.id)
      assert.notStrictEqual(rotated.dkimTokens[0], created.dkimTokens[0])
      assert.strictEqual(yield* signingSelector(organization, created.domain), null)
    })
  )

  it.effect("rotates the keys once with concurrent requests", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const domains = yield* Domains
      const { created, organization } = yield* createVerifiedDomain()
      yield* oneSucceeds(domains.rotateDkim(organization, created.id), "domain", 2)
    })
  )

  it.effect("removes a domain unless a sender uses it", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const domains = yield* Domains
      const sql = yield* SqlClient.SqlClient
      const { created, organization } = yield* createVerifiedDomain()
      yield* sql`INSERT INTO email_senders (organization_id, id, email, name, verification_status, is_default,
          domain_id, created_at, updated_at)
        VALUES (${organization}, ${v7()}, ${`ada@${created.domain}`}, 'Ada', 'createVerifiedDomain', false, ${created.id}, now(), now())`
      assert.include(yield* Effect.flip(domains.remove(organization, created.id)), {
        _tag: "ConflictError",
        resource: "domain"
      })
      assert.strictEqual(yield* statusOf(organization, created.id), "verified")
      yield* sql`DELETE FROM email_senders WHERE domain_id = ${created.id}`
      yield* domains.remove(organization, created.id)
      assert.strictEqual((yield* Effect.flip(domains.get(organization, created.id)))._tag, "ResourceNotFoundError")
      assert.strictEqual((yield* Effect.flip(domains.remove(organization, created.id)))._tag, "ResourceNotFoundError")
      assert.strictEqual((yield* eventTypes(organization)).at(-1), "email_domain.deleted")
      assert.isFalse(yield* canSend(organization, created.domain))
      // The domain may be created again.
      yield* createDomain(organization, created.domain)
    })
  )

  it.effect("detects the DNS provider by the name servers", () =>
    Effect.gen(function* () {
      const { detectRegistrar } = yield* Domains
      dns.zone.set("NS shop.test", ["b.ns.cloudflare.com", "a.ns.cloudflare.com"])
      dns.zone.set("NS broken.test", "fails")
      const { guideUrl, ...found } = yield* detectRegistrar("mail.eu.shop.test")
      assert.deepStrictEqual(
        { ...found },
        {
          domain: "mail.eu.shop.test",
          zone: "shop.test",
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

  it.effect("limits an organization to 50 domains that are not verified", () =>
    Effect.gen(function* () {
      yield* setStartTime
      const domains = yield* Domains
      const organization = yield* makeOrganization()
      const statuses = { pending: 29, failed: 20, verified: 5 }
      for (const [status, count] of Object.entries(statuses)) {
        yield* Effect.replicateEffect(makeDomain(organization, { status }), count)
      }
      yield* createDomain(organization)
      const { _tag, message } = yield* Effect.flip(domains.create(organization, { domain: yield* uniqueName }))
      assert.deepStrictEqual(
        [_tag, message],
        ["ConflictError", "The organization has 50 domains that are not verified: verify or remove one first"]
      )
      assert.lengthOf(yield* storedEvents(organization), 1)
    })
  )
})
