import { assert } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { make, type SwitchboardOptions } from "@switchboard/client/promise"
import { Effect } from "effect"

/** A response of the server. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A mail of the local mailbox. */
export const mail = (number: number) => ({
  id: `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`,
  messageId: `<${number}@example.com>`,
  mailFrom: "",
  rcptTo: ["ada@example.com"],
  size: 1_000,
  receivedAt: "2030-01-01T00:00:00.000Z",
  from: "shop@example.com",
  to: ["ada@example.com"],
  subject: `Mail ${number}`
})

export const pagination = { page: 1, limit: 1, total: 2, totalPages: 2 }

/** A page with one mail. */
export const list: Reply = { headers: { "x-request-id": "r-1" }, body: { items: [mail(1)], pagination } }
export const limited = (seconds: number): Reply => ({
  status: 429,
  headers: { "retry-after": String(seconds) },
  body: { _tag: "RateLimitedError", retryAfterSeconds: seconds }
})

export const unavailable: Reply = {
  status: 503,
  headers: { "retry-after": "1" },
  body: { _tag: "ServiceUnavailableError", message: "The database can't be reached", retryAfterSeconds: 1 }
}

export const invalid: Reply = {
  status: 422,
  body: { _tag: "ValidationError", message: "The request body is invalid", fields: { "to.0.email": ["is blocked"] } }
}

/** A client of an HTTP server with these responses; the last one is repeated. */
export const serving = (replies: ReadonlyArray<Reply>, options: Pick<SwitchboardOptions, "fetch" | "retries"> = {}) =>
  Effect.gen(function* () {
    const service = yield* receiver((response) => {
      const { body, headers, status = 200 } = replies[service.received.length - 1] ?? replies.at(-1) ?? {}
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(typeof body === "string" ? body : JSON.stringify(body))
    })
    return { service, switchboard: make({ baseUrl: service.url, apiKey: "very secret", ...options }) }
  })

/** The reason of a rejection. */
export const rejection = (promise: Promise<unknown>) =>
  Effect.promise(() =>
    promise.then(
      () => assert.fail("The promise is not rejected"),
      (reason: unknown) => reason
    )
  )
