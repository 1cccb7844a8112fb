import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { EmailSenderId } from "@switchboard/domain/email/senders/EmailSender"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { MailRouting } from "@switchboard/services/email/domains/MailRouting"
import { ManagedSenderRepo, type StoredSender } from "@switchboard/services/email/senders/ManagedSenderRepo"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { newId } from "@switchboard/services/NewId"
import { SecretBox } from "@switchboard/services/SecretBox"
import { MasterKey } from "@switchboard/services/Signatures"
import { DomainRepoSql } from "@switchboard/store/email/domains/DomainRepoSql"
import { ManagedSenderRepoSql } from "@switchboard/store/email/senders/ManagedSenderRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { TestDatabase, TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { v4, v7 } from "uuid"
import { dnsInMemory } from "../domains/DnsInMemory.js"

const dns = dnsInMemory()
const address = Schema.decodeSync(EmailAddress)

/** The organizations whose senders are looked up again. */
const forgotten = new Set<OrganizationId>()
const forget = (organization: OrganizationId) => Effect.sync(() => forgotten.add(organization))

const Live = Domains.Default.pipe(
  Layer.provide(Layer.mock(Senders, { _tag: "services/Senders", forget: (one) => Effect.asVoid(forget(one)) })),
  Layer.provideMerge(DomainChecks.Default),
  Layer.provideMerge(
    Layer.mergeAll(DomainRepoSql, ManagedSenderRepoSql, OrganizationRepoSql, dns.layer, SecretBox.Live)
  ),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))),
  Layer.provide(Layer.succeed(MailRouting, { mailHostname: "mail.switchboard.test", spfInclude: null })),
  Layer.provideMerge(TestDatabase.pipe(Layer.provide(TestDatabaseUrl.Live)))
)

/** A domain that waits for its records. */
const waiting = Effect.fnUntraced(function* (organization: OrganizationId, name = `d${v7().replaceAll("-", "")}.test`) {
  const domains = yield* Domains
  const { dnsRecords, domain, id } = yield* domains.create(organization, { domain: name })
  return { organizationId: organization, id, domain, dnsRecords }
})

type Waiting = Effect.Effect.Success<ReturnType<typeof waiting>>

/** A sender of it that waits for its confirmation, since so long. */
const asked = Effect.fnUntraced(function* (
  { domain, id: domainId, organizationId }: Waiting,
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

const standing = ({ id, organizationId }: StoredSender) =>
  Effect.flatMap(ManagedSenderRepo, (repo) =>
    Effect.map(repo.find(organizationId, id), (found) => {
      const { isDefault, verificationStatus, verifiedAt } = Option.getOrThrow(found)
      return [verificationStatus, verifiedAt !== null, isDefault] as const
    })
  )

const told = (organization: OrganizationId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ subject: string; status: string }>`SELECT subject_id AS subject, data->>'verificationStatus' AS status
        FROM events WHERE organization_id = ${organization} AND type = 'email_sender.verified' ORDER BY id`,
      (rows) => rows.map(({ status, subject }) => [subject, status])
    )
  )

const verify = ({ domain, organizationId }: Waiting) =>
  Effect.flatMap(Domains, (domains) => domains.verify(organizationId, domain))

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("A sender that waits", (it) => {
  it.effect("is verified with its domain, however long it waited, and told of once", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const domain = yield* waiting(own)
      const past = DateTime.subtract(yield* DateTime.now, { hours: 1 })
      const fresh = yield* asked(domain, "fresh")
      const late = yield* asked(domain, "late", { confirmation: { nonce: v4(), expiresAt: past } })
      const elsewhere = yield* asked(yield* waiting(own), "elsewhere")
      assert.deepStrictEqual(yield* verify(domain), { success: false })
      assert.deepStrictEqual(yield* told(own), [])
      dns.publish(domain.dnsRecords)
      assert.deepStrictEqual(yield* verify(domain), { success: true })
      assert.deepStrictEqual(yield* Effect.all([fresh, late, elsewhere].map(standing)), [
        ["verified", true, false],
        ["verified", true, false],
        ["pending", false, false]
      ])
      yield* verify(domain)
      assert.deepStrictEqual(yield* told(own), [
        [fresh.id, "verified"],
        [late.id, "verified"]
      ])
    })
  )

  it.effect("becomes the default if it was to, and the last of several does", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const domain = yield* waiting(own)
      const first = yield* asked(domain, "first", { wantsDefault: true })
      const second = yield* asked(domain, "second", { wantsDefault: true })
      dns.publish(domain.dnsRecords)
      assert.isFalse(forgotten.has(own))
      yield* verify(domain)
      assert.deepStrictEqual(yield* Effect.all([first, second].map(standing)), [
        ["verified", true, false],
        ["verified", true, true]
      ])
      // At once: what was known of the default a moment ago is not asked any more.
      assert.isTrue(forgotten.has(own))
    })
  )

  it.effect("that was added while its domain was verified is found by the next look", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const domain = yield* waiting(own)
      dns.publish(domain.dnsRecords)
      yield* verify(domain)
      const sender = yield* asked(domain, "between")
      yield* verify(domain)
      assert.deepStrictEqual((yield* standing(sender))[0], "verified")
    })
  )

  it.effect("waits on where another organization has the domain, and nothing is told", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const domain = yield* waiting(own)
      const theirs = yield* waiting(other, domain.domain)
      const sender = yield* asked(theirs, "theirs")
      dns.publish([...domain.dnsRecords])
      yield* verify(domain)
      // As it is for who looked when nobody had it, and is second when it is written.
      const repo = yield* DomainRepo
      const checks = yield* DomainChecks
      const stored = Option.getOrThrow(yield* repo.find(other, theirs.id))
      dns.publish(theirs.dnsRecords)
      yield* checks.recheck(stored)
      assert.deepStrictEqual((yield* standing(sender))[0], "pending")
      assert.deepStrictEqual(yield* told(other), [])
    })
  )
})
