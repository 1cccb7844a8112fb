import { assert, layer } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { EmailSenderId } from "@switchboard/domain/email/senders/EmailSender"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { ManagedSenderRepo, type StoredSender } from "@switchboard/services/email/senders/ManagedSenderRepo"
import { newId } from "@switchboard/services/NewId"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { storedEvents } from "@switchboard/store/testing/StoredRows"
import { DateTime, Effect, Option, Schema } from "effect"
import { v4, v7 } from "uuid"
import { dnsInMemory } from "../domains/DnsInMemory.js"
import { domainsLive } from "../domains/DomainsLive.js"

const dns = dnsInMemory()
const address = Schema.decodeSync(EmailAddress)

/** The organizations whose cached senders were invalidated. */
const invalidated = new Set<OrganizationId>()
const Live = domainsLive(dns.layer, (organization) => Effect.sync(() => void invalidated.add(organization)))

/** Creates a domain whose records are not published. */
const createPendingDomain = Effect.fnUntraced(function* (
  organization: OrganizationId,
  name = `d${v7().replaceAll("-", "")}.test`
) {
  const domains = yield* Domains
  const { dnsRecords, domain, id } = yield* domains.create(organization, { domain: name })
  return { organizationId: organization, id, domain, dnsRecords }
})

type PendingDomain = Effect.Effect.Success<ReturnType<typeof createPendingDomain>>

/** Stores a sender of the domain with a pending confirmation. */
const insertPendingSender = Effect.fnUntraced(function* (
  { domain, id: domainId, organizationId }: PendingDomain,
  local: string,
  given: Partial<StoredSender> = {}
) {
  const repo = yield* ManagedSenderRepo
  const { id, now } = yield* newId(EmailSenderId)
  const sender: StoredSender = {
    id,
    organizationId,
    domainId,
    email: address(`${local}@${domain}`),
    name: local,
    replyTo: null,
    verificationStatus: "pending",
    verifiedAt: null,
    isDefault: false,
    wantsDefault: false,
    isActive: true,
    confirmation: { nonce: v4(), expiresAt: DateTime.add(now, { hours: 48 }) },
    domainFailed: false,
    createdAt: now,
    updatedAt: now,
    ...given
  }
  yield* repo.insert({ sender, events: [] })
  return sender
})

const stateOf = ({ id, organizationId }: StoredSender) =>
  Effect.flatMap(ManagedSenderRepo, (repo) =>
    Effect.map(repo.find(organizationId, id), (found) => {
      const { isDefault, verificationStatus, verifiedAt } = Option.getOrThrow(found)
      return [verificationStatus, verifiedAt !== null, isDefault] as const
    })
  )

const verifiedEvents = (organization: OrganizationId) =>
  Effect.map(storedEvents(organization, "email_sender.verified"), (rows) =>
    rows.map(({ data, subject }) => [subject, data.verificationStatus])
  )

const verify = ({ domain, organizationId }: PendingDomain) =>
  Effect.flatMap(Domains, (domains) => domains.verify(organizationId, domain))

layer(Live, { excludeTestServices: true })("Pending senders of a domain, on PostgreSQL", (it) => {
  it.effect("are verified with their domain, also after their confirmation expired, with one event each", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const domain = yield* createPendingDomain(own)
      const past = DateTime.subtract(yield* DateTime.now, { hours: 1 })
      const fresh = yield* insertPendingSender(domain, "fresh")
      const late = yield* insertPendingSender(domain, "late", { confirmation: { nonce: v4(), expiresAt: past } })
      const onOtherDomain = yield* insertPendingSender(yield* createPendingDomain(own), "elsewhere")
      assert.include(yield* verify(domain), { success: false })
      assert.deepStrictEqual(yield* verifiedEvents(own), [])
      dns.publish(domain.dnsRecords)
      assert.include(yield* verify(domain), { success: true })
      assert.deepStrictEqual(yield* Effect.all([fresh, late, onOtherDomain].map(stateOf)), [
        ["verified", true, false],
        ["verified", true, false],
        ["pending", false, false]
      ])
      yield* verify(domain)
      assert.deepStrictEqual(yield* verifiedEvents(own), [
        [fresh.id, "verified"],
        [late.id, "verified"]
      ])
    })
  )

  it.effect("become the default if requested, the latest one of several", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const domain = yield* createPendingDomain(own)
      const first = yield* insertPendingSender(domain, "first", { wantsDefault: true })
      const second = yield* insertPendingSender(domain, "second", { wantsDefault: true })
      dns.publish(domain.dnsRecords)
      assert.isFalse(invalidated.has(own))
      yield* verify(domain)
      assert.deepStrictEqual(yield* Effect.all([first, second].map(stateOf)), [
        ["verified", true, false],
        ["verified", true, true]
      ])
      // The cached default sender is invalidated at once.
      assert.isTrue(invalidated.has(own))
    })
  )

  it.effect("are verified by the next check if they were added after their domain was verified", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const domain = yield* createPendingDomain(own)
      dns.publish(domain.dnsRecords)
      yield* verify(domain)
      const sender = yield* insertPendingSender(domain, "between")
      yield* verify(domain)
      assert.deepStrictEqual((yield* stateOf(sender))[0], "verified")
    })
  )

  it.effect("stay pending without an event if another organization has verified the domain", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const domain = yield* createPendingDomain(own)
      const theirs = yield* createPendingDomain(other, domain.domain)
      const sender = yield* insertPendingSender(theirs, "theirs")
      dns.publish([...domain.dnsRecords])
      yield* verify(domain)
      // The same holds if the domain was unverified at the lookup and is taken when the result is stored.
      const repo = yield* DomainRepo
      const checks = yield* DomainChecks
      const stored = Option.getOrThrow(yield* repo.find(other, theirs.id))
      dns.publish(theirs.dnsRecords)
      yield* checks.recheck(stored)
      assert.deepStrictEqual((yield* stateOf(sender))[0], "pending")
      assert.deepStrictEqual(yield* verifiedEvents(other), [])
    })
  )
})
