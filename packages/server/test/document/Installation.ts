import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { startServer } from "@switchboard/server/demo/ServerProcess"
import { objectToken } from "@switchboard/services/objects/ObjectToken"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { adminKey, temporaryFolder } from "../LiveService.js"
import { base, installationKey } from "../ServiceProcess.js"
import { type Answer, addressOf, answerProblems, type Given, sending, sendingOnce, type Texts } from "./Ask.js"
import type { MadeDomain } from "./Made.js"
import { nameServer } from "./NameServer.js"
import { OpenApiDocument } from "./OpenApiDocument.js"
import { type Operation, operationsOf } from "./Operations.js"
import { makeTenants } from "./Tenants.js"

/** One tenant, by a key that may do everything. */
export interface Tenant {
  readonly name: string
  readonly key: string
}

/** An answer, with where it is not what the document says. */
export interface Asked extends Answer {
  readonly problems: ReadonlyArray<string>
}

const known = (key: string): Texts => ({ "X-API-Key": key })

/** Signed as the process signs. */
const linkTo = (storageKey: string) =>
  Effect.map(Signatures, (signatures) =>
    objectToken(signatures, {
      key: ObjectKey.make(storageKey),
      filename: "hello.json",
      expiresAtMs: Date.now() + 60_000
    })
  ).pipe(Effect.provide(Layer.fresh(Signatures.Live)), Effect.provideService(MasterKey, Redacted.make(installationKey)))

/** The whole service as a process, with two organizations that know nothing of each other, and what its document says. */
export class Installation extends Context.Tag("test/Installation")<
  Installation,
  {
    readonly document: OpenApiDocument
    readonly operations: ReadonlyArray<Operation>
    readonly owner: Tenant
    readonly stranger: Tenant
    /** A key that is bound to no organization. */
    readonly nobodysKey: string
    /** Takes every webhook. */
    readonly hook: string
    /** Has the world's name servers say what a domain asks for. */
    readonly publish: (records: typeof MadeDomain.Type.dnsRecords) => void
    /** The token of a link to an object, as the service gives it to those who may have it. */
    readonly linkTo: (storageKey: string) => Effect.Effect<string>
    readonly send: ReturnType<typeof sending>
    readonly ask: (operation: Operation, given: Given) => Effect.Effect<Asked>
    /** The same, without a repeat after a 503. */
    readonly askOnce: (operation: Operation, given: Given) => Effect.Effect<Asked>
    /** The headers that show who asks, in a way that the operation takes. */
    readonly credentials: (key: string, way: string | undefined) => Effect.Effect<Texts>
  }
>() {
  static readonly Live = Layer.scoped(
    Installation,
    Effect.gen(function* () {
      const url = yield* TestDatabaseUrl
      const hook = yield* receiver((response) => response.end("ok"))
      const { publish, server } = yield* nameServer
      const folder = yield* temporaryFolder
      const environment = {
        ...base(folder),
        DATABASE_URL: Redacted.value(url),
        DNS_SERVERS: server,
        NETWORK_ALLOW: "127.0.0.0/8"
      }
      const baseUrl = yield* startServer(environment)
      const { nobodysKey, strangersKey } = yield* makeTenants

      const send = sending(baseUrl)
      const document = yield* Effect.flatMap(send("GET", "/v1/openapi.json"), ({ body }) =>
        Schema.decodeUnknown(OpenApiDocument)(body)
      )
      const problemsOf = answerProblems(document)
      const asking = (send: ReturnType<typeof sending>) => (operation: Operation, given: Given) =>
        Effect.map(send(operation.method, addressOf(operation, given), given), (answer) => ({
          ...answer,
          problems: problemsOf(operation, answer).map((problem) => `${operation.id} ${problem}`)
        }))
      const logIn = (key: string) =>
        Effect.map(send("POST", "/v1/session", { body: { apiKey: key } }), ({ body, headers }) => ({
          Cookie: headers["set-cookie"]?.split(";")[0] ?? "",
          "X-CSRF-Token": Schema.decodeUnknownSync(Schema.Struct({ csrfToken: Schema.String }))(body).csrfToken
        }))

      return {
        document,
        operations: operationsOf(document),
        owner: { name: "owner", key: adminKey },
        stranger: { name: "stranger", key: strangersKey },
        nobodysKey,
        hook: hook.url,
        publish,
        linkTo,
        send,
        ask: asking(send),
        askOnce: asking(sendingOnce(baseUrl)),
        credentials: (key, way) =>
          way === undefined ? Effect.succeed({}) : way === "session" ? logIn(key) : Effect.succeed(known(key))
      }
    })
  ).pipe(Layer.provide(TestDatabaseUrl.Live))
}
