import type { NetworkSettings } from "@switchboard/channels/network/NetworkPolicy"
import { WebhookHttp } from "@switchboard/channels/webhooks/WebhookHttp"
import { type WebhookPost, WebhookTransport } from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { Context, Duration, Effect, Layer } from "effect"
import { guardLayer } from "../network/Guards.js"

/** Makes a function that posts a webhook to a URL, with these blocks in NETWORK_ALLOW. */
export const posting = (allow: ReadonlyArray<string>, options: Partial<typeof NetworkSettings.Service> = {}) =>
  Effect.map(Layer.build(Layer.provide(WebhookHttp, guardLayer(allow, options))), (context) => {
    const transport = Context.get(context, WebhookTransport)
    return (url: string, changes: Partial<WebhookPost> = {}) =>
      transport.post({ url, headers: {}, body: '{"id":"1"}', timeout: Duration.seconds(5), ...changes })
  })

export const loopbackOpen = ["127.0.0.0/8"]
