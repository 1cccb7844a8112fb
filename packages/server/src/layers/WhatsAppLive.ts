import { HandsetCallbackSettings } from "@switchboard/channels/handset/HandsetCallbacks"
import { HandsetCloudApi, HandsetCloudUrl } from "@switchboard/channels/handset/HandsetCloudApi"
import { CloudApi, CloudTransport } from "@switchboard/channels/whatsapp/CloudTransport"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { whatsappCallbackPath } from "@switchboard/services/providers/ProviderCallbacks"
import { Signatures } from "@switchboard/services/SecretBox"
import { NoWhatsAppTransport } from "@switchboard/services/whatsapp/WhatsAppTransport"
import { Effect, Layer, Option, Redacted } from "effect"
import { handsetPort } from "../settings/ServiceSettings.js"
import { Settings } from "../settings/Settings.js"
import { cloudApi } from "../settings/WhatsAppSettings.js"

/** The Cloud API of an account. */
export const cloudAt = (api: typeof CloudApi.Service) => Layer.provide(CloudTransport, Layer.succeed(CloudApi, api))

/** The secret by which the callbacks of the local handset are signed: all processes with the master key have it. */
export const handsetSecret = Effect.map(Signatures, ({ sign }) => Redacted.make(sign("handset", "whatsapp")))

/** Where the local handset posts its callbacks. */
export const HandsetCallbacksLive = Layer.effect(
  HandsetCallbackSettings,
  Effect.zipWith(PublicUrl, handsetSecret, (publicUrl, appSecret) => ({
    url: `${publicUrl}${whatsappCallbackPath}`,
    appSecret
  }))
)

/** The local handset, which this layer starts. */
const HandsetLive = Layer.unwrapEffect(
  Effect.map(HandsetCloudUrl, (url) => cloudAt({ url, phoneNumberId: null, token: Redacted.make("handset") }))
).pipe(Layer.provide(HandsetCloudApi), Layer.provide(HandsetCallbacksLive))

/** The WhatsApp account of the settings; without it the local handset, or none. */
export const WhatsAppLive = Settings.layer((settings) =>
  Option.match(cloudApi(settings), {
    onSome: cloudAt,
    onNone: () => (Option.isSome(handsetPort(settings)) ? HandsetLive : NoWhatsAppTransport)
  })
)
