import { Context, Data, type Duration, type Effect } from "effect"

/** The operator's settings for webhooks. */
export class WebhookSettings extends Context.Tag("services/WebhookSettings")<
  WebhookSettings,
  {
    /** `WEBHOOK_RETRY_SCHEDULE`: the wait before each retry. */
    readonly retrySchedule: ReadonlyArray<Duration.Duration>
  }
>() {}

/** A signed request to an endpoint. */
export interface WebhookPost {
  readonly url: string
  /** Default POST. */
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Default `Switchboard-Webhooks/1.0`. */
  readonly userAgent?: string
  /** Headers that the HTTP client sets itself (`host`, lengths, connection) take precedence over these. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** From the DNS look-up to the last byte of the response. */
  readonly timeout: Duration.Duration
}

/** The result of a request. */
export type WebhookResponse = Data.TaggedEnum<{
  /** The endpoint responded, with any status. Redirects are not followed. */
  Responded: {
    readonly status: number
    /** By name in lower case, as storable text. */
    readonly headers: Readonly<Record<string, string>>
    /** The first 4 KB of the response, as storable text. */
    readonly body: string
    /** The `Retry-After` of the response, at most a day; null if there is none. */
    readonly retryAfterSeconds: number | null
    readonly durationMs: number
  }
  /** No complete response: forbidden destination, no address, connection or TLS failure, or timeout. */
  Unreachable: { readonly error: string; readonly durationMs: number }
}>

export const WebhookResponse = Data.taggedEnum<WebhookResponse>()

/** Sends requests to user-supplied URLs. */
export class WebhookTransport extends Context.Tag("services/WebhookTransport")<
  WebhookTransport,
  {
    /** Sends one request, follows no redirect, and closes the connection when interrupted. */
    readonly post: (request: WebhookPost) => Effect.Effect<WebhookResponse>
  }
>() {}
