import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Schedule } from "effect"

export const adminKey = `sk_sm_${"A".repeat(40)}`

/** A response to a test's request. */
export interface ServiceResponse {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect response bodies as untyped JSON
  readonly body: any
}

/** Sends one request over HTTP. */
export const callerOnce =
  (baseUrl: string, key: string | null = adminKey) =>
  (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    Effect.promise(async (): Promise<ServiceResponse> => {
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

/** Retries a request after 503: on a slow machine the database may not respond in time. */
export const repeatUnavailable = <A extends { readonly status: number }>(request: Effect.Effect<A>) =>
  Effect.flatMap(request, (response) =>
    response.status === 503 ? Effect.fail(response) : Effect.succeed(response)
  ).pipe(
    Effect.retry(Schedule.intersect(Schedule.spaced("1 second"), Schedule.recurs(20))),
    Effect.catchAll(Effect.succeed)
  )

/** Sends a request over HTTP; retries after 503. */
export const caller =
  (baseUrl: string, key: string | null = adminKey) =>
  (...request: Parameters<ReturnType<typeof callerOnce>>) =>
    repeatUnavailable(callerOnce(baseUrl, key)(...request))

/** A temporary folder, deleted at the end of the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-e2e-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A request for an email with a unique subject. */
export const send = (
  overrides: Readonly<Record<string, unknown>> = {},
  email: Readonly<Record<string, unknown>> = {}
) => ({
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { subject: `Hello ${randomUUID()}`, html: "<p>Hello</p>", ...email },
  ...overrides
})

/** Up to 1,000 repetitions, 25 to 250 ms apart: a process that waits long leaves the processors to the others. */
export const repetitions = Schedule.exponential("25 millis", 1.2).pipe(
  Schedule.union(Schedule.spaced("250 millis")),
  Schedule.intersect(Schedule.recurs(1_000))
)

/** Repeats `look` until `isSo` is true. */
export const until = <A, E, R>(look: Effect.Effect<A, E, R>, isSo: (found: A) => boolean) =>
  look.pipe(
    Effect.flatMap((found) => (isSo(found) ? Effect.succeed(found) : Effect.fail(found))),
    Effect.retry(repetitions)
  )
