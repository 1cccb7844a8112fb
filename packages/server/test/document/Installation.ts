import { SqlClient } from "@effect/sql"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { objectToken } from "@switchboard/services/objects/ObjectLinks"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { TestDatabase, TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { adminKey, until } from "../LiveService.js"
import { startService, testSettings } from "../TestService.js"
import type { CreatedDomain } from "./CreatedResources.js"
import { nameServer } from "./NameServer.js"
import { decodeDocument, type OpenApiDocument } from "./OpenApiDocument.js"
import { type Operation, operationsOf } from "./Operations.js"
import { makeTenants } from "./Tenants.js"
import {
  type RequestParts,
  responseProblems,
  sendOnce,
  sendWithRetry,
  type TestResponse,
  type Texts,
  urlOf
} from "./TestClient.js"

/** An organization with an admin key. */
export interface Tenant {
  readonly name: string
  readonly key: string
}

/** A response with its differences from the document. */
export interface CheckedResponse extends TestResponse {
  readonly problems: ReadonlyArray<string>
}

const apiKeyHeader = (key: string): Texts => ({ "X-API-Key": key })

const masterKey = Buffer.alloc(32, 9)

/** Signs a link with the master key of the service. */
const linkTo = (storageKey: string) =>
  Effect.map(Signatures, (signatures) =>
    objectToken(signatures, {
      key: ObjectKey.make(storageKey),
      filename: "hello.json",
      expiresAtMs: Date.now() + 60_000
    })
  ).pipe(Effect.provide(Layer.fresh(Signatures.Live)), Effect.provideService(MasterKey, Redacted.make(masterKey)))

/** Waits until all events are part of the figures. */
const foldedEvents = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  until(
    sql`SELECT organization_id FROM new_event_batches
      UNION ALL SELECT organization_id FROM event_positions WHERE folded < last LIMIT 1`,
    (open) => open.length === 0
  )
)

/** The service with two independent organizations, and its OpenAPI document. */
export class Installation extends Context.Tag("test/Installation")<
  Installation,
  {
    readonly document: OpenApiDocument
    readonly operations: ReadonlyArray<Operation>
    readonly owner: Tenant
    readonly other: Tenant
    /** A key that is bound to no organization. */
    readonly unboundKey: string
    /** A key of the owner with only `system.read`. */
    readonly systemKey: string
    /** A URL that accepts every webhook. */
    readonly hook: string
    /** Publishes DNS records on the test's name server. */
    readonly publish: (records: typeof CreatedDomain.Type.dnsRecords) => void
    /** The token of a link to an object. */
    readonly linkTo: (storageKey: string) => Effect.Effect<string>
    /** Waits until all events are part of the figures. */
    readonly foldedEvents: Effect.Effect<void>
    readonly send: ReturnType<typeof sendWithRetry>
    readonly request: (operation: Operation, parts: RequestParts) => Effect.Effect<CheckedResponse>
    /** Like `request`, without retry after 503. */
    readonly requestOnce: (operation: Operation, parts: RequestParts) => Effect.Effect<CheckedResponse>
    /** The authentication headers of a key for a security scheme of the operation. */
    readonly credentials: (key: string, scheme: string | undefined) => Effect.Effect<Texts>
  }
>() {
  static readonly Live = Layer.scoped(
    Installation,
    Effect.gen(function* () {
      const url = yield* TestDatabaseUrl
      const hook = yield* receiver((response) => response.end("ok"))
      const { publish, server } = yield* nameServer
      const { baseUrl } = yield* startService({
        ...testSettings(Redacted.value(url), adminKey),
        MASTER_KEY: masterKey.toString("base64"),
        // Tracking pixels have the URL of this port.
        PORT: String(yield* freePort),
        DNS_SERVERS: server,
        NETWORK_ALLOW: "127.0.0.0/8"
      })
      const { unboundKey, otherKey, systemKey } = yield* makeTenants
      const database = yield* Layer.build(TestDatabase)

      const send = sendWithRetry(baseUrl)
      const document = yield* Effect.map(send("GET", "/v1/openapi.json"), ({ body }) => decodeDocument(body))
      const problemsOf = responseProblems(document)
      const requestBy = (send: ReturnType<typeof sendWithRetry>) => (operation: Operation, parts: RequestParts) =>
        Effect.map(send(operation.method, urlOf(operation, parts), parts), (response) => ({
          ...response,
          problems: problemsOf(operation, response).map((problem) => `${operation.id} ${problem}`)
        }))
      const logIn = (key: string) =>
        Effect.map(send("POST", "/v1/session", { body: { apiKey: key } }), ({ body, headers }) => ({
          Cookie: headers["set-cookie"]?.split(";")[0] ?? "",
          "X-CSRF-Token": Schema.decodeUnknownSync(Schema.Struct({ csrfToken: Schema.String }))(body).csrfToken
        }))

      return {
        document,
        foldedEvents: foldedEvents.pipe(Effect.provide(database), Effect.orDie),
        operations: operationsOf(document),
        owner: { name: "owner", key: adminKey },
        other: { name: "other", key: otherKey },
        unboundKey,
        systemKey,
        hook: hook.url,
        publish,
        linkTo,
        send,
        request: requestBy(send),
        requestOnce: requestBy(sendOnce(baseUrl)),
        credentials: (key, scheme) =>
          scheme === undefined
            ? Effect.succeed({})
            : scheme === "session"
              ? logIn(key)
              : Effect.succeed(apiKeyHeader(key))
      }
    })
  ).pipe(Layer.provide(TestDatabaseUrl.Live))
}
