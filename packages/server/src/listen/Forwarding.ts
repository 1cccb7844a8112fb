import { DestinationGuardNode } from "@switchboard/channels/network/DestinationGuardNode"
import { parseNetwork } from "@switchboard/channels/network/NetworkPolicy"
import { NetworkSettings } from "@switchboard/channels/network/NetworkSettings"
import { WebhookHttp } from "@switchboard/channels/webhooks/WebhookHttp"
import type { ToldEvent } from "@switchboard/client/events/SwitchboardEvent"
import { signedHeaders } from "@switchboard/services/webhooks/delivery/SignedHeaders"
import { attemptTimeout } from "@switchboard/services/webhooks/delivery/SignedPost"
import { type WebhookAnswer, WebhookTransport } from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { Effect, Layer, type Redacted } from "effect"

/**
 * Posts as webhooks are posted, to any address. The guard of webhooks keeps strangers who name a URL from reaching into
 * the network of the service; here whoever names the URL sits at the machine that calls it, and could call it anyway.
 * Most often it is that very machine.
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

/** Hands an event on as its webhook would come, once: what fails is said, and not tried again. */
export const forward = Effect.fnUntraced(function* (url: string, secret: Redacted.Redacted, { data, id }: ToldEvent) {
  const { post } = yield* WebhookTransport
  const headers = yield* signedHeaders({ id, body: data }, [secret])
  return yield* post({ url, headers, body: data, timeout: attemptTimeout })
})

/** What became of it, for a line. */
export const outcome = (answer: WebhookAnswer): string =>
  answer._tag === "Answered"
    ? `${answer.status}  ${answer.durationMs} ms`
    : `failed  ${answer.durationMs} ms  ${answer.error}`
