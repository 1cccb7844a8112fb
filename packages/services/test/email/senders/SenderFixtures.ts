import { SqlClient } from "@effect/sql"
import { assert } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { PaymentRequiredError, ValidationError } from "@switchboard/domain/Errors"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { EmailSenderFilters } from "@switchboard/domain/email/senders/SenderRequests"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { SendRequest } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { signedContent } from "@switchboard/services/email/senders/ConfirmationToken"
import { ManagedSenders } from "@switchboard/services/email/senders/ManagedSenders"
import { SenderConfirmations } from "@switchboard/services/email/senders/SenderConfirmations"
import { SenderRepo } from "@switchboard/services/email/senders/SenderRepo"
import { Senders } from "@switchboard/services/email/senders/Senders"
import type { Caller } from "@switchboard/services/messages/Caller"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Messages } from "@switchboard/services/messages/Messages"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { DomainRepoSql } from "@switchboard/store/email/domains/DomainRepoSql"
import { ManagedSenderRepoSql } from "@switchboard/store/email/senders/ManagedSenderRepoSql"
import { SenderRepoSql } from "@switchboard/store/email/senders/SenderRepoSql"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { SharedDatabase } from "@switchboard/store/testing/TestDatabase"
import { DateTime, Effect, Layer, Option, Redacted, Schema, TestClock } from "effect"
import { v7 } from "uuid"

export const address = Schema.decodeSync(EmailAddress)

/** The messages that were sent, and the error that the next sends fail with. */
export const sent: Array<SendRequest> = []
export const relay: { fails: PaymentRequiredError | ValidationError | null } = { fails: null }

/** The confirmation messages that were withdrawn. */
export const withdrawn: Array<MessageId> = []

/** A Messages service that stores each message and records its request. */
const MessagesStub = Layer.effect(
  Messages,
  Effect.map(MessageRepo, (repo) => {
    const unused = () => Effect.die("not used in this test")
    return Messages.make({
      send: ({ organizationId }, request) =>
        Effect.gen(function* () {
          if (relay.fails !== null) return yield* relay.fails
          sent.push(request)
          return yield* repo.accept(yield* newMessage(organizationId))
        }),
      get: unused,
      getEncoded: unused,
      list: unused,
      timeline: unused,
      cancel: unused,
      resend: unused,
      remove: (_, id) => Effect.sync(() => void withdrawn.push(id))
    })
  })
)

export const Live = Layer.mergeAll(ManagedSenders.Default, SenderConfirmations.Default).pipe(
  Layer.provide(Layer.merge(MessagesStub, Senders.Default)),
  Layer.provide(Layer.succeed(PublicUrl, "https://mail.example.net")),
  Layer.provideMerge(Signatures.Live),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))),
  Layer.provideMerge(
    Layer.mergeAll(ManagedSenderRepoSql, SenderRepoSql, DomainRepoSql, OrganizationRepoSql, MessageRepoSql)
  ),
  Layer.provideMerge(SharedDatabase)
)

// After the creation of the first sender of each organization, which uses the system clock.
export const start = DateTime.unsafeMake("2099-11-20T09:30:00.000Z")
export const setStartTime = TestClock.setTime(DateTime.toEpochMillis(start))

export const caller = (organizationId: OrganizationId): Caller => ({
  organizationId,
  apiKeyId: ApiKeyId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19441"),
  request: {
    method: "POST",
    endpoint: "/v1/email/senders",
    ipAddress: "127.0.0.1",
    userAgent: "",
    headers: {},
    query: {}
  },
  traceParent: null
})

/** Creates a domain of an organization. */
export const insertDomain = Effect.fnUntraced(function* (organization: OrganizationId, status: "pending" | "verified") {
  const sql = yield* SqlClient.SqlClient
  const id = EmailDomainId.make(v7())
  const domain = `d${v7().replaceAll("-", "")}.test`
  yield* sql`INSERT INTO email_domains ${sql.insert({
    organization_id: organization,
    id,
    domain,
    status,
    verification_token: "",
    active_selector: "sm1",
    sm1_private_key: Buffer.alloc(1),
    sm1_public_key: "",
    sm2_private_key: Buffer.alloc(1),
    sm2_public_key: "",
    next_check_at: DateTime.toDateUtc(start),
    created_at: DateTime.toDateUtc(start),
    updated_at: DateTime.toDateUtc(start)
  })}`
  return { id, domain }
})

/** Creates a sender with a domain of its own, in a new organization by default. */
export const createSender = Effect.fnUntraced(function* (
  status: "pending" | "verified",
  options: { readonly organization?: OrganizationId; readonly isDefault?: boolean; readonly name?: string } = {}
) {
  yield* setStartTime
  const senders = yield* ManagedSenders
  const organization = options.organization ?? (yield* makeOrganization())
  const domain = yield* insertDomain(organization, status)
  const email = address(`Ada@${domain.domain}`)
  const sender = yield* senders.create(caller(organization), {
    email,
    name: options.name ?? "Ada",
    isDefault: options.isDefault
  })
  return { organization, domain, email, sender }
})

/** The token in the latest mail to an address: signed as in the sent mail, and as stored. */
export const tokenFor = Effect.fnUntraced(function* (organizationId: OrganizationId, email: EmailAddress) {
  const signatures = yield* Signatures
  const request = sent.findLast(({ to: [first] }) => first?.email === email)
  const { html, text } = signedContent(signatures, {
    organizationId,
    content: {
      subject: "",
      html: request?.email.html ?? "",
      text: request?.email.text ?? "",
      from: email,
      replyTo: [],
      attachments: []
    },
    addressing: { messageId: "", to: [], cc: [], bcc: [], headers: request?.email.headers ?? {}, tags: [] }
  })
  const link = /https:\/\/mail\.example\.net\/v1\/email\/senders\/confirm\?token=([\w.-]+)/
  assert.strictEqual(link.exec(html)?.[1], link.exec(text)?.[1])
  return { token: link.exec(html)?.[1] ?? "", stored: link.exec(request?.email.html ?? "")?.[1] ?? "" }
})

/** The types of the events of an organization's senders, oldest first. */
export const eventsOf = (organization: OrganizationId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ type: string; data: { verificationToken?: string } }>`SELECT type, data FROM events
        WHERE organization_id = ${organization} AND type LIKE 'email_sender.%' ORDER BY id`,
      (rows) => {
        assert.isTrue(rows.every(({ data }) => data.verificationToken === undefined))
        return rows.map(({ type }) => type)
      }
    )
  )

export const listSenders = (
  organization: OrganizationId,
  filters: EmailSenderFilters = {},
  page = { page: 1, limit: 20 },
  withToken = false
) =>
  Effect.flatMap(ManagedSenders, (senders) =>
    Effect.map(senders.list(organization, filters, page, { withToken }), ({ items }) => items)
  )

export const emails = (...args: Parameters<typeof listSenders>) =>
  Effect.map(listSenders(...args), (items) => items.map(({ email }) => email))

const degradedSince = Effect.map(DateTime.now, (now) => DateTime.subtract(now, { hours: 72 }))

export const defaultOf = (organization: OrganizationId) =>
  Effect.flatMap(Effect.all([SenderRepo, degradedSince]), ([repo, since]) =>
    Effect.map(repo.findDefault(organization, since), (found) => Option.getOrUndefined(found)?.email)
  )

export const canSend = (organization: OrganizationId, email: EmailAddress) =>
  Effect.flatMap(Effect.all([SenderRepo, degradedSince]), ([repo, since]) =>
    Effect.map(repo.findVerified(organization, email, since), Option.isSome)
  )
