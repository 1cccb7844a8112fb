import { DestinationGuardNode } from "@switchboard/channels/network/DestinationGuardNode"
import { parseNetwork } from "@switchboard/channels/network/NetworkPolicy"
import { NetworkSettings } from "@switchboard/channels/network/NetworkSettings"
import { WebhookHttp } from "@switchboard/channels/webhooks/WebhookHttp"
import type { ServerSentEvent } from "@switchboard/client/events/SwitchboardEvent"
import { signedHeaders } from "@switchboard/services/webhooks/delivery/SignedHeaders"
import { attemptTimeout } from "@switchboard/services/webhooks/delivery/SignedPost"
import { type WebhookResponse, WebhookTransport } from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { Effect, Layer, type Redacted } from "effect"

/**
 * Posts events in the format of webhooks, to any address. The destination guard has no purpose here: the user who passes
 * the URL runs the command on the same machine, and usually posts to a local port.
 */
export const Forwarding = WebhookHttp.pipe(
  Layer.provideMerge(DestinationGuardNode),
  Layer.provide(
    Layer.effect(
      NetworkSettings,
      Effect.map(Effect.forEach(["0.0.0.0/0", "::/0"], parseNetwork), (allow) => ({ allow, dnsServers: [] }))
    )
  )
)

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
