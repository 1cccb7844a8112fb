import { assert } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { firstSender } from "@switchboard/server/run/FirstStart"
import { Database, DatabaseConnections } from "@switchboard/store/database/Database"
import { createDatabase, TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Context, Effect, Layer, Redacted, Scope } from "effect"
import { administration } from "./Administration.js"
import { adminKey, caller, send, until } from "./ServiceCalls.js"
import { type RelayedMail, smtpSink } from "./SmtpSink.js"
import { startService, testSettings } from "./TestService.js"

export * from "./ServiceCalls.js"

/** The settings of a service on this database, with this relay. */
const withRelay = (url: Redacted.Redacted<string>, relayPort: number) => ({
  ...testSettings(Redacted.value(url), adminKey),
  SMTP_URL: `smtp://127.0.0.1:${relayPort}`,
  SMTP_CONFIRMATION: "accept"
})

const startShared = (settings: Effect.Effect<Readonly<Record<string, string>>, never, Scope.Scope>) =>
  Effect.gen(function* () {
    const { url } = yield* createDatabase
    const sink = yield* smtpSink
    const environment = { ...withRelay(url, sink.port), ...(yield* settings) }
    const addresses = yield* startService(environment)
    const database = yield* Layer.build(
      Layer.provide(
        Database,
        Layer.succeed(DatabaseConnections, {
          url,
          poolSize: 1,
          workConnections: 0,
          applicationName: "switchboard-test"
        })
      )
    )
    const { createOrganization } = yield* Effect.provide(administration, database)
    // The scope refers to the fibers of the service, which otherwise only their wakers do: garbage collection ends them.
    const scope = yield* Effect.scope
    return { ...addresses, url, sink, environment, createOrganization, scope }
  }).pipe(Scope.extend(Effect.runSync(Scope.make())))

/** A service that the files of a test worker share, until the worker ends. */
export const sharedService = (...parameters: Parameters<typeof startShared>) => {
  let started: Promise<Effect.Effect.Success<ReturnType<typeof startShared>>> | undefined
  return Effect.promise(() => {
    started ??= Effect.runPromise(startShared(...parameters))
    return started
  })
}

/** The service in this process, with a test relay. */
export class LiveService extends Context.Tag("test/LiveService")<
  LiveService,
  {
    readonly baseUrl: string
    /** The SMTP port for incoming mail. */
    readonly inboundPort: number
    readonly organizationId: OrganizationId
    /** The organization's default sender. */
    readonly sender: string
    /** A key of the organization with all permissions. */
    readonly key: string
    /** Sends a request with the key. */
    readonly call: ReturnType<typeof caller>
    readonly mails: ReadonlyArray<RelayedMail>
    /** Recipients of all RCPT commands, whether accepted or not. */
    readonly rcptTo: ReadonlyArray<string>
    readonly environment: Readonly<Record<string, string>>
  }
>() {
  /** An organization of its own on a shared service. */
  static readonly sharing = (service: ReturnType<typeof sharedService>) =>
    Layer.unwrapEffect(
      Effect.gen(function* () {
        const { baseUrl, createOrganization, environment, inboundPort, sink, url } = yield* service
        const { key, organizationId, sender } = yield* createOrganization
        // Mails of earlier files.
        sink.mails.length = 0
        sink.rcptTo.length = 0
        const { mails, rcptTo } = sink
        const own = { baseUrl, inboundPort, organizationId, sender, key, call: caller(baseUrl, key), mails, rcptTo }
        return Layer.merge(Layer.succeed(LiveService, { ...own, environment }), Layer.succeed(TestDatabaseUrl, url))
      })
    )

  /** An organization of its own on the service with default settings that the files of a worker share. */
  static readonly Shared = LiveService.sharing(sharedService(Effect.succeed({})))

  /** A service with these settings, on a database of its own. */
  static readonly layer = (settings: Readonly<Record<string, string>> = {}) =>
    Layer.scoped(
      LiveService,
      Effect.gen(function* () {
        const url = yield* TestDatabaseUrl
        const sink = yield* smtpSink
        const environment = { ...withRelay(url, sink.port), ...settings }
        const { baseUrl, inboundPort } = yield* startService(environment)
        const call = caller(baseUrl)
        const { body: organization } = yield* call("GET", "/v1/organizations/current")
        return {
          baseUrl,
          inboundPort,
          organizationId: organization.id,
          sender: firstSender,
          key: adminKey,
          call,
          mails: sink.mails,
          rcptTo: sink.rcptTo,
          environment
        }
      })
    ).pipe(Layer.provideMerge(TestDatabaseUrl.Live))
}

/** The message with this id. */
export const messageOf = (id: string) =>
  Effect.flatMap(LiveService, ({ call }) => Effect.map(call("GET", `/v1/messages/${id}`), ({ body }) => body))

/** Waits until a message has this status. */
export const settled = (id: string, status: string) => until(messageOf(id), (message) => message.status === status)

/** Sends a message that must be accepted. */
export const accepted = (...message: Parameters<typeof send>) =>
  Effect.flatMap(LiveService, ({ call }) => call("POST", "/v1/messages", send(...message))).pipe(
    Effect.map(({ body, status }) => {
      assert.strictEqual(status, 201, JSON.stringify(body))
      return body
    })
  )

/** Waits for the first such mail at the relay. */
export const relayed = (isSo: (mail: RelayedMail) => boolean) =>
  Effect.gen(function* () {
    const { mails } = yield* LiveService
    const found = yield* until(
      Effect.sync(() => mails.find(isSo)),
      (mail) => mail !== undefined
    )
    return found ?? assert.fail("no mail arrived")
  })

/** The metrics of the processes that share this process. */
export const metricsText = Effect.flatMap(LiveService, ({ baseUrl }) =>
  Effect.promise(() => fetch(`${baseUrl}/metrics`).then((response) => response.text()))
)
