import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startProcess } from "@switchboard/server/demo/ServerProcess"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { type SunkMail, smtpSink } from "./SmtpSink.js"

export const adminKey = `sk_sm_${"A".repeat(40)}`

/** What a caller gets. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // A caller sees JSON, not our types: tests look into it as a client in another language would.
  // biome-ignore lint/suspicious/noExplicitAny: the body of an answer is what the test is about
  readonly body: any
}

/** Calls the service as any HTTP client does, once. */
export const callerOnce =
  (baseUrl: string, key: string | null = adminKey) =>
  (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    Effect.promise(async (): Promise<Answer> => {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          ...(key === null ? {} : { "X-API-Key": key }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: JSON.parse(text) }
    })

/** Repeats a request after a 503, as clients should: a slow machine may not reach its database in time. */
export const repeatUnavailable = <A extends { readonly status: number }>(request: Effect.Effect<A>) =>
  Effect.flatMap(request, (answer) => (answer.status === 503 ? Effect.fail(answer) : Effect.succeed(answer))).pipe(
    Effect.retry(Schedule.intersect(Schedule.spaced("1 second"), Schedule.recurs(20))),
    Effect.catchAll(Effect.succeed)
  )

/** Calls the service as any HTTP client does, and again after a 503. */
export const caller =
  (baseUrl: string, key: string | null = adminKey) =>
  (...request: Parameters<ReturnType<typeof callerOnce>>) =>
    repeatUnavailable(callerOnce(baseUrl, key)(...request))

/** A folder of its own, gone at the end. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-e2e-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** The real service as a process, on the test's database, with a relay that is not ours. */
export class LiveService extends Context.Tag("test/LiveService")<
  LiveService,
  {
    readonly baseUrl: string
    /** Where mail comes in. */
    readonly inboundPort: number
    readonly call: ReturnType<typeof caller>
    readonly mails: ReadonlyArray<SunkMail>
    /** Whom the service wanted to send to, whatever the relay answered. */
    readonly asked: ReadonlyArray<string>
    readonly environment: Readonly<Record<string, string>>
  }
>() {
  static readonly layer = (settings: Readonly<Record<string, string>> = {}) =>
    Layer.scoped(
      LiveService,
      Effect.gen(function* () {
        const url = yield* TestDatabaseUrl
        const sink = yield* smtpSink
        const environment = {
          PATH: process.env.PATH ?? "",
          DATABASE_URL: Redacted.value(url),
          DATA_DIR: yield* temporaryFolder,
          PORT: "0",
          INBOUND_SMTP_PORT: "0",
          BOOTSTRAP_API_KEY: adminKey,
          SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
          SMTP_CONFIRMATION: "accept",
          RATE_LIMIT_REQUESTS: "0",
          RATE_LIMIT_SENDS: "0",
          RATE_LIMIT_FAILURES: "0",
          LOG_LEVEL: "warning",
          ...settings
        }
        // Only what tests start with these settings by themselves is given time to end.
        const { baseUrl, inboundPort } = yield* startProcess({ SHUTDOWN_GRACE: "1 second", ...environment })
        return { baseUrl, inboundPort, call: caller(baseUrl), mails: sink.mails, asked: sink.asked, environment }
      })
    ).pipe(Layer.provideMerge(TestDatabaseUrl.Live))
}

/** An e-mail that is like no other. */
export const send = (given: Readonly<Record<string, unknown>> = {}, email: Readonly<Record<string, unknown>> = {}) => ({
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { subject: `Hello ${randomUUID()}`, html: "<p>Hello</p>", ...email },
  ...given
})

/** Looks again until it is so. Ends by itself only where it never is: a slow machine needs many looks. */
export const until = <A, E, R>(look: Effect.Effect<A, E, R>, isSo: (found: A) => boolean) =>
  look.pipe(
    Effect.flatMap((found) => (isSo(found) ? Effect.succeed(found) : Effect.fail(found))),
    Effect.retry(Schedule.intersect(Schedule.spaced("25 millis"), Schedule.recurs(4_000)))
  )
