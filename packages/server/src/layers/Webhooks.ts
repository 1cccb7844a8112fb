import { DestinationGuardNode } from "@switchboard/channels/network/DestinationGuardNode"
import { dnsNames } from "@switchboard/channels/network/HostNames"
import { WebhookHttp } from "@switchboard/channels/webhooks/WebhookHttp"
import { SecretBox } from "@switchboard/services/SecretBox"
import { WebhookDeliveries } from "@switchboard/services/webhooks/WebhookDeliveries"
import { WebhookPace } from "@switchboard/services/webhooks/WebhookPace"
import { WebhookSettings } from "@switchboard/services/webhooks/WebhookSettings"
import { WebhookWorker } from "@switchboard/worker/webhooks/WebhookWorker"
import { Layer } from "effect"
import type { Settings } from "../Settings.js"

/** How endpoints are called, and where they may be. */
export const WebhookCalls = ({ dnsServers, networkAllow }: Settings) =>
  WebhookHttp.pipe(
    Layer.provideMerge(
      DestinationGuardNode({
        allow: networkAllow,
        ...(dnsServers.length === 0 ? {} : { names: dnsNames(dnsServers) })
      })
    ),
    Layer.provideMerge(SecretBox.Live)
  )

/** The fibers that tell endpoints what happened. */
export const Webhooks = (settings: Settings) =>
  WebhookWorker.pipe(
    Layer.provide(WebhookDeliveries.Default),
    Layer.provide(WebhookPace.Default),
    Layer.provide(WebhookCalls(settings)),
    Layer.provide(Layer.succeed(WebhookSettings, { retrySchedule: settings.webhookRetrySchedule }))
  )
