import { randomBytes } from "node:crypto"
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { mimeWorkerSettings } from "@switchboard/channels/testing/email/receiving/MimeWorkers"
import { Parts } from "@switchboard/server/run/Parts"
import { Configured } from "@switchboard/server/run/Run"
import { Addresses, Service } from "@switchboard/server/run/Serve"
import { RequiresDurability } from "@switchboard/store/database/DatabaseSettings"
import { createDatabase } from "@switchboard/store/testing/TestDatabase"
import { ConfigProvider, Console, Context, Effect, Layer, Option, Redacted } from "effect"
import { inject } from "vitest"
import { collectingConsole } from "./CollectingConsole.js"

/** A value for BOOTSTRAP_API_KEY. */
export const newKey = () => `sk_sm_${randomBytes(20).toString("hex")}`

/** A new folder, deleted at the end of the run. */
const newFolder = () => mkdtempSync(join(inject("runFolder"), "data-"))

/** The URL of a new database, dropped at the end of the scope: after the services that were started later in it. */
export const newDatabase = Effect.map(
  Effect.acquireRelease(createDatabase, ({ drop }) => drop),
  ({ url }) => Redacted.value(url)
)

/** Settings of a service in this process: free ports, no rate limits, a short grace period and no logs. */
export const testSettings = (databaseUrl: string, bootstrapKey: string): Readonly<Record<string, string>> => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: newFolder(),
  PORT: "0",
  INBOUND_SMTP_PORT: "0",
  SUBMISSION_PORT: "0",
  MAILBOX_SMTP_PORT: "0",
  HANDSET_SMPP_PORT: "0",
  BOOTSTRAP_API_KEY: bootstrapKey,
  RATE_LIMIT_REQUESTS: "0",
  RATE_LIMIT_SENDS: "0",
  RATE_LIMIT_FAILURES: "0",
  SHUTDOWN_GRACE: "1 second",
  LOG_LEVEL: "none"
})

/** The service that the program runs, in this process. Its database need not be durable. */
export const TestService = (
  settings: Readonly<Record<string, string>>,
  parts = { api: true, worker: true },
  { console } = collectingConsole()
) =>
  Service.pipe(
    Layer.provide(Configured),
    Layer.provide(Layer.mergeAll(Layer.succeed(Parts, parts), Layer.succeed(RequiresDurability, false))),
    Layer.provide(mimeWorkerSettings()),
    Layer.provide(NodeContext.layer),
    Layer.provide(Console.setConsole(console)),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings)))))
  )

/** Starts a service with API in this process; returns its addresses. */
export const startService = (...service: Parameters<typeof TestService>) =>
  Effect.map(Layer.build(TestService(...service)), (context) => {
    const { baseUrl, inbound } = Option.getOrThrow(Context.get(context, Addresses))
    return { baseUrl, inboundPort: inbound.port }
  })
