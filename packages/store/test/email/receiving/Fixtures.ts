import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { dkimOwner, dkimPurpose } from "@switchboard/services/email/domains/DkimKeys"
import type { ArrivedMail } from "@switchboard/services/email/receiving/InboundMail"
import { newId } from "@switchboard/services/NewId"
import { storeSecret } from "@switchboard/store/installation/Secrets"
import { DateTime, Effect, Schema } from "effect"
import { v7 } from "uuid"

export const options = { excludeTestServices: true } as const

export const address = Schema.decodeSync(EmailAddress)

/** Creates a domain. Its DNS records are not checked. */
export const makeDomain = (
  organizationId: OrganizationId,
  overrides: { readonly domain?: string; readonly status?: string; readonly receiving?: boolean } = {}
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { id, now } = yield* newId(EmailDomainId)
    const domain = overrides.domain ?? `d${v7().replaceAll("-", "")}.test`
    const at = DateTime.toDateUtc(now)
    yield* sql`INSERT INTO email_domains ${sql.insert({
      organization_id: organizationId,
      id,
      domain,
      status: overrides.status ?? "verified",
      verification_token: "token",
      active_selector: "sm1",
      sm1_public_key: "key",
      sm2_public_key: "key",
      receiving: overrides.receiving ?? true,
      next_check_at: at,
      created_at: at,
      updated_at: at
    })}`
    yield* storeSecret(sql, organizationId, dkimPurpose, dkimOwner(id, "sm1"), Buffer.from("sealed"))
    return { id, domain }
  })

/** Adds a receiving address to a domain. */
export const makeAddress = (organizationId: OrganizationId, domainId: EmailDomainId, receiving: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO receiving_addresses (organization_id, domain_id, address, created_at)
      VALUES (${organizationId}, ${domainId}, ${receiving}, now())`
  )

/** Enables a catch-all for all addresses except the excluded ones. */
export const makeCatchAll = (
  organizationId: OrganizationId,
  domainId: EmailDomainId,
  exclude: ReadonlyArray<string> = [],
  enabled = true
) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO catch_alls
      (organization_id, domain_id, enabled, forward_to, exclude, created_at, updated_at)
      VALUES (${organizationId}, ${domainId}, ${enabled}, '{}', ${exclude}, now(), now())`
  )

const domainId = EmailDomainId.make(v7())

/** A mail that is not stored yet, unique by default. */
export const arrived = (organizationId: OrganizationId, changes: Partial<ArrivedMail> = {}) =>
  Effect.map(newId(MessageId), ({ id, now }): ArrivedMail => {
    const raw = changes.raw ?? Buffer.from(`Subject: ${id}\r\n\r\nHello\r\n`)
    return {
      id,
      organizationId,
      mailFrom: "ada@example.com",
      recipients: [{ address: address("support@shop.test"), kind: { _tag: "Address", domainId } }],
      remoteAddress: "192.0.2.7",
      helo: "mail.example.com",
      tls: true,
      receivedAt: now,
      fingerprint: createHash("sha256").update(raw).digest("hex"),
      ...changes,
      raw
    }
  })

/** Inserts the row of a mail, by default received and processed now. */
export const insertMail = (
  organizationId: OrganizationId,
  id: string,
  { fingerprint = id, isProcessed = true, receivedAt = new Date() } = {}
) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`INSERT INTO inbound_mails ${sql.insert({
        organization_id: organizationId,
        id,
        fingerprint,
        mail_from: "ada@example.com",
        recipients: "[]",
        remote_address: "192.0.2.1",
        helo: "mx",
        tls: true,
        size: 5,
        raw: Buffer.from("Hello"),
        received_at: receivedAt,
        processed_at: isProcessed ? receivedAt : null
      })}`
  )
