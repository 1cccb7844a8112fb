import { DestinationGuardNode } from "@switchboard/channels/network/DestinationGuardNode"
import { parseNetwork } from "@switchboard/channels/network/NetworkPolicy"
import { NetworkSettings } from "@switchboard/channels/network/NetworkSettings"
import { WebhookHttp } from "@switchboard/channels/webhooks/WebhookHttp"
import { Effect, Layer } from "effect"

/**
 * Sends requests to any address: only for URLs that the operator of the service chooses. The layers are fresh, since a
 * process has the same layers with checks for the URLs of organizations.
 */
export const AnyDestination = Layer.fresh(WebhookHttp).pipe(
  Layer.provideMerge(Layer.fresh(DestinationGuardNode)),
  Layer.provide(
    Layer.effect(
      NetworkSettings,
      Effect.map(Effect.forEach(["0.0.0.0/0", "::/0"], parseNetwork), (allow) => ({ allow, dnsServers: [] }))
    )
  )
)
