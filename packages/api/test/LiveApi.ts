import { createHash } from "node:crypto"
import { createServer } from "node:http"
import { HttpApiBuilder, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { Http } from "@switchboard/api/Http"
import { AuthenticationLimit } from "@switchboard/api/http/AuthorizationHttp"
import { BodyBudget } from "@switchboard/api/http/body/BodyBudget"
import { HttpSettings, Serving, type ServingPhase } from "@switchboard/api/http/HttpContext"
import { organizationExample } from "@switchboard/api/openapi/examples/AccountExamples"
import { messageExample } from "@switchboard/api/openapi/examples/MessageExamples"
import { PublicRoutes } from "@switchboard/api/openapi/PublicRoutes"
import { ApiKey, ApiKeyId, apiKeyStartLength, maskedKey } from "@switchboard/domain/apiKeys/ApiKey"
import type { Permissions } from "@switchboard/domain/apiKeys/Permission"
import { RateLimitedError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import { Message } from "@switchboard/domain/messages/Message"
import type { Send, SendRequest } from "@switchboard/domain/messages/SendRequest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { page } from "@switchboard/domain/Page"
import { Analytics } from "@switchboard/services/analytics/Analytics"
import { Exports } from "@switchboard/services/analytics/Exports"
import { ApiKeyRepo } from "@switchboard/services/apiKeys/ApiKeyRepo"
import type { StorableApiKey } from "@switchboard/services/apiKeys/NewApiKey"
import { EmailRecords } from "@switchboard/services/email/records/EmailRecords"
import { HtmlParts, RawMails } from "@switchboard/services/email/records/RawMails"
import { EmailStatistics } from "@switchboard/services/email/stats/EmailStatistics"
import { Threads } from "@switchboard/services/email/threads/Threads"
import { type Engagement, EngagementRepo } from "@switchboard/services/email/tracking/EngagementRepo"
import { Engagements } from "@switchboard/services/email/tracking/Engagements"
import { EventStream } from "@switchboard/services/events/EventStream"
import { Handset } from "@switchboard/services/handset/Handset"
import { Mailbox } from "@switchboard/services/mailbox/Mailbox"
import { MailboxReplies } from "@switchboard/services/mailbox/MailboxReplies"
import { MailboxSimulations } from "@switchboard/services/mailbox/MailboxSimulations"
import { Messages } from "@switchboard/services/messages/Messages"
import type { Caller } from "@switchboard/services/messages/SendContext"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { RateLimitSettings, RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { defaultRetention, RetentionSettings } from "@switchboard/services/retention/RetentionSettings"
import { System } from "@switchboard/services/system/System"
import { countsInMemory } from "@switchboard/services/testing/analytics/CountsInMemory"
import { exportsInMemory } from "@switchboard/services/testing/analytics/ExportsInMemory"
import { eventsInMemory } from "@switchboard/services/testing/events/EventsInMemory"
import { WhatsAppStatistics } from "@switchboard/services/whatsapp/WhatsAppStatistics"
import { makeDomain } from "@switchboard/store/testing/email/receiving/Fixtures"
import { Context, DateTime, Effect, HashMap, Layer, Logger, LogLevel, Option, Ref, Schema } from "effect"
import { encodeMessage } from "./EncodeMessage.js"
import { ApiSecrets, linksInMemory, publicUrl, Repos, StoredUseCases } from "./StoredUseCases.js"

const keyLike = (letter: string) => `sk_sm_${letter.repeat(40)}`

/** The hash of a key, as stored. */
const hashOf = (key: string) => createHash("sha256").update(key).digest("hex")

/** API keys with different permissions and organizations. */
export const keys = {
  admin: keyLike("A"),
  reader: keyLike("R"),
  withoutOrganization: keyLike("H"),
  limited: keyLike("L"),
  otherOrganization: keyLike("S"),
  domainReader: keyLike("D")
}

/** The organization of the keys `admin` and `reader`. */
export const organization = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const otherOrganization = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250001")
const limitedOrganization = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250000")

/** A stored key. */
const stored = (
  at: number,
  key: string,
  organizationId: OrganizationId | undefined,
  permissions: Permissions
): StorableApiKey => {
  const start = key.slice(0, apiKeyStartLength)
  return {
    hash: hashOf(key),
    apiKey: new ApiKey({
      id: ApiKeyId.make(`01a1fc1d-cf9d-766f-8d6a-43d494c1944${at}`),
      name: `Key ${at}`,
      start,
      key: maskedKey(start),
      organizationId,
      permissions,
      isActive: true,
      createdAt: DateTime.unsafeMake("2026-11-20T09:30:00.000Z")
    })
  }
}

const everything = { "*": ["*"] }

const storedKeys = [
  stored(1, keys.admin, organization, everything),
  stored(2, keys.reader, organization, { messages: ["read"] }),
  stored(3, keys.withoutOrganization, undefined, everything),
  stored(4, keys.limited, limitedOrganization, { messages: ["read"] }),
  stored(5, keys.otherOrganization, otherOrganization, everything),
  stored(6, keys.domainReader, organization, { domains: ["read"] })
]

/** The only message. */
export const message = Schema.decodeUnknownSync(Message)(messageExample)

/** The recipient of the message. */
export const contact = message.toParticipantIds[0] ?? message.fromParticipantId

const notFound = (resource: string) => (_: OrganizationId, id: string) => new ResourceNotFoundError({ resource, id })

/** Empties the tables with rows of organizations, which earlier files wrote. */
const clear = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [filled] = yield* sql<{ names: string | null }>`SELECT string_agg(format('%I', relname), ', ') AS names
    FROM pg_class AS c
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(c.oid) > 0 AND (relname = 'organizations'
      OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'organization_id' AND NOT attisdropped))`
  if (filled?.names) yield* sql.unsafe(`TRUNCATE ${filled.names} CASCADE`)
})

/** Inserts organizations, keys, a contact, and domains without DNS records. */
const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { insert } = yield* ApiKeyRepo
  const { billingEmail, countryCode, createdAt, logo, metadata, name, plan, slug, timezone, updatedAt } =
    organizationExample
  const { emailUsed, emailUsedThisMonth, messagesUsed, messagesUsedThisMonth } = organizationExample
  for (const id of [organization, otherOrganization, limitedOrganization]) {
    yield* sql`INSERT INTO organizations ${sql.insert({
      id,
      name,
      slug: id === organization ? slug : id === otherOrganization ? "other" : "limited",
      logo,
      default_currency: organizationExample.defaultCurrency,
      country_code: countryCode,
      timezone,
      billing_email: billingEmail,
      plan,
      metadata: JSON.stringify(metadata),
      created_at: createdAt,
      updated_at: updatedAt
    })}`
    yield* sql`INSERT INTO organization_usage
      (organization_id, month, messages_used, messages_used_this_month, email_used, email_used_this_month)
      VALUES (${id}, date_trunc('month', now() AT TIME ZONE 'UTC')::date, ${messagesUsed}, ${messagesUsedThisMonth},
        ${emailUsed}, ${emailUsedThisMonth})`
  }
  yield* Effect.forEach(storedKeys, (key) => insert(key, []))
  yield* sql`INSERT INTO participants (organization_id, id, name, type, created_at, updated_at)
    VALUES (${organization}, ${contact}, 'Ada', 'contact', now(), now())`
  yield* sql`UPDATE organization_usage SET participants = 1 WHERE organization_id = ${organization}`
  yield* makeDomain(organization, { domain: "pending.test", status: "pending", receiving: false })
  for (const name of ["verified", "caught", "silent"]) {
    yield* makeDomain(organization, { domain: `${name}.test`, receiving: false })
  }
})

/** A log entry. `message` includes the cause. */
export interface Line {
  readonly message: string
  readonly annotations: Readonly<Record<string, unknown>>
}

const Health = HttpApiBuilder.group(PublicRoutes, "health", (handlers) =>
  handlers
    .handle("alive", () => Effect.succeed({ status: "alive" as const }))
    .handle("ready", () => Effect.succeed({ status: "ready" as const }))
)

/** The API on an HTTP server, with messages in memory and all other use cases on the database. */
export class LiveApi extends Context.Tag("test/LiveApi")<
  LiveApi,
  {
    readonly baseUrl: string
    readonly serving: Ref.Ref<ServingPhase>
    /** Callers of sends, in order. */
    readonly callers: ReadonlyArray<Caller>
    /** Requests of sends, in order. */
    readonly sent: ReadonlyArray<SendRequest>
    readonly lines: ReadonlyArray<Line>
    /** Recorded opens and clicks. */
    readonly engagements: ReadonlyArray<Engagement>
    /** The source of the event stream. */
    readonly events: ReturnType<typeof eventsInMemory>
  }
>() {
  static readonly layer = Layer.scoped(
    LiveApi,
    Effect.gen(function* () {
      const serving = yield* Ref.make<ServingPhase>("serving")
      const callers: Array<Caller> = []
      const sent: Array<SendRequest> = []
      const lines: Array<Line> = []
      const engagements: Array<Engagement> = []
      const events = eventsInMemory()

      const Limits = Layer.succeed(
        RateLimits,
        RateLimits.make({
          request: (who) =>
            who === limitedOrganization
              ? new RateLimitedError({ retryAfterSeconds: 7 })
              : Effect.succeed({ limit: 200, remaining: 199, resetSeconds: 1 }),
          send: () => Effect.succeed(null),
          refundSend: () => Effect.void,
          requestLimit: 200
        })
      )

      const send = (caller: Caller, request: Send) => {
        if (request.externalId === "defect") return Effect.die(new Error("a secret of the database"))
        if (request.externalId === "interrupted") return Effect.interrupt
        callers.push(caller)
        sent.push(request)
        return Effect.succeed({ message, replayed: request.idempotencyKey === "again" })
      }
      const Sending = Layer.succeed(
        Messages,
        Messages.make({
          send,
          sendEmail: send,
          checkEmail: () => Effect.succeed(undefined),
          get: (_, id) =>
            id === message.id ? Effect.succeed(message) : new ResourceNotFoundError({ resource: "message", id }),
          getEncoded: (_, id) =>
            id === message.id
              ? Effect.succeed(encodeMessage(message))
              : new ResourceNotFoundError({ resource: "message", id }),
          list: (_, __, request) => Effect.succeed(page([encodeMessage(message)], 1, request)),
          timeline: notFound("message"),
          cancel: notFound("message"),
          reschedule: notFound("message"),
          resend: (_, id) => new ResourceNotFoundError({ resource: "message", id }),
          remove: () => Effect.succeed(undefined)
        })
      )

      const UseCases = Layer.mergeAll(
        StoredUseCases.pipe(Layer.provideMerge(Sending)),
        Layer.succeed(
          Mailbox,
          Mailbox.make({ list: (_, __, request) => Effect.succeed(page([], 0, request)), get: notFound("mail") })
        ),
        Layer.mock(Handset, { _tag: "services/Handset" }),
        Layer.mock(MailboxReplies, { _tag: "services/MailboxReplies" }),
        Layer.mock(MailboxSimulations, { _tag: "services/MailboxSimulations" }),
        Layer.mock(System, { _tag: "services/System" }),
        // The tests of the server read threads and e-mail records.
        Layer.mergeAll(
          Layer.mock(Threads, { _tag: "services/Threads" }),
          Layer.mock(EmailRecords, { _tag: "services/EmailRecords" })
        ),
        Layer.mergeAll(
          Layer.mock(HtmlParts, { _tag: "services/HtmlParts" }),
          Layer.mock(RawMails, { _tag: "services/RawMails" })
        ),
        Layer.mergeAll(Analytics.Default, EmailStatistics.Default, Exports.Default, WhatsAppStatistics.Default).pipe(
          Layer.provide([exportsInMemory([message]), countsInMemory([], [])])
        ),
        linksInMemory,
        Engagements.Default.pipe(
          Layer.provide([
            Layer.succeed(EngagementRepo, { record: (given) => Effect.sync(() => void engagements.push(...given)) }),
            ApiSecrets,
            Layer.succeed(RetentionSettings, {
              messageBodies: Option.none(),
              events: Option.none(),
              inboundRaw: Option.none(),
              webhookAttempts: defaultRetention,
              keyActivity: defaultRetention,
              audit: defaultRetention
            })
          ])
        ),
        EventStream.Default.pipe(Layer.provide(events.layer))
      )
      yield* clear
      yield* seed

      const logger = Logger.make(({ annotations, cause, message: text }) => {
        lines.push({
          message: `${String(text)} ${String(cause)}`,
          annotations: Object.fromEntries(HashMap.toEntries(annotations))
        })
      })

      const server = createServer()
      const context = yield* Layer.build(
        Http.pipe(
          Layer.provide(UseCases.pipe(Layer.provideMerge(Limits))),
          Layer.provide([Health, AuthenticationLimit.Default, BodyBudget.Default]),
          Layer.provide(Layer.succeed(RateLimitSettings, { requests: 0, sends: 0, failures: 0 })),
          Layer.provide(Layer.succeed(Serving, serving)),
          Layer.provide(Layer.succeed(PublicUrl, publicUrl)),
          Layer.provide(
            Layer.succeed(HttpSettings, {
              trustedProxies: ["127.0.0.1/32"],
              corsOrigins: ["https://app.test"],
              accessLog: true,
              bodyMemory: 64 * 1024 * 1024,
              secureCookies: true
            })
          ),
          Layer.provideMerge(NodeHttpServer.layer(() => server, { host: "127.0.0.1", port: 0 })),
          Layer.provide(Logger.replace(Logger.defaultLogger, logger)),
          Layer.provide(Logger.minimumLogLevel(LogLevel.Info))
        )
      )
      const { address } = Context.get(context, HttpServer.HttpServer)
      const port = address._tag === "TcpAddress" ? address.port : 0
      return { baseUrl: `http://127.0.0.1:${port}`, serving, callers, sent, lines, engagements, events }
    })
  ).pipe(Layer.provideMerge(Repos))
}

/** A response. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests compare the body
  readonly body: any
}

/** Sends a request to the API. `key` null: without a key. */
export const call = (
  method: string,
  path: string,
  {
    body,
    headers = {},
    key = keys.admin
  }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>>; readonly key?: string | null } = {}
) =>
  Effect.flatMap(LiveApi, ({ baseUrl }) =>
    Effect.promise(async (): Promise<ApiResponse> => {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        redirect: "manual",
        headers: {
          ...(key === null ? {} : { "X-API-Key": key }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body) })
      })
      const text = await response.text()
      const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
    })
  )
