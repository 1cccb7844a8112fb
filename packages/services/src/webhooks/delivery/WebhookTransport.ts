import { Context, Data, type Duration, type Effect } from "effect"

/** One attempt to hand an event to an endpoint, signed already. */
export interface WebhookPost {
  readonly url: string
  /** POST, unless it is said otherwise. */
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Whatever an HTTP client must say of itself (`host`, lengths, connection) is set over these. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** For everything, from the look-up of the name to the last byte of the answer. */
  readonly timeout: Duration.Duration
}

/** How an attempt ended. There is no other way for it to end. */
export type WebhookAnswer = Data.TaggedEnum<{
  /** The endpoint answered, with whatever status: a redirect is an answer too. */
  Answered: {
    readonly status: number
    /** The first 4 KB, as text that can be stored. */
    readonly body: string
    /** How long the endpoint asks us to wait, a day at most; null if it does not say. */
    readonly retryAfterSeconds: number | null
    readonly durationMs: number
  }
  /** No whole answer came: a forbidden destination, no address, no connection, no trust, no time. */
  Unreachable: { readonly error: string; readonly durationMs: number }
}>

export const WebhookAnswer = Data.taggedEnum<WebhookAnswer>()

/** Posts to endpoints that somebody outside has named. */
export class WebhookTransport extends Context.Tag("services/WebhookTransport")<
  WebhookTransport,
  {
    /** Posts once, follows no redirect, and drops the connection if it is interrupted. */
    readonly post: (request: WebhookPost) => Effect.Effect<WebhookAnswer>
  }
>() {}
