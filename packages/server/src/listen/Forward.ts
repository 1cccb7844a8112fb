import type { ServerSentEvent } from "@switchboard/client/events/SwitchboardEvent"
import { signedHeaders } from "@switchboard/services/webhooks/delivery/SignedHeaders"
import { attemptTimeout } from "@switchboard/services/webhooks/delivery/SignedPost"
import { type WebhookResponse, WebhookTransport } from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { Effect, type Redacted } from "effect"

/** Posts an event as its webhook would be posted, once: a failure is printed and not retried. */
export const forward = Effect.fnUntraced(function* (
  url: string,
  secret: Redacted.Redacted,
  { data, id }: ServerSentEvent
) {
  const { post } = yield* WebhookTransport
  const headers = yield* signedHeaders({ id, body: data }, [secret])
  return yield* post({ url, headers, body: data, timeout: attemptTimeout })
})

/** The outcome of a post, for one line of output. */
export const outcome = (response: WebhookResponse): string =>
  response._tag === "Responded"
    ? `${response.status}  ${response.durationMs} ms`
    : `failed  ${response.durationMs} ms  ${response.error}`
