import { HandsetCallbackTarget } from "@switchboard/channels/handset/HandsetCallbacks"
import { HandsetCloudApi, HandsetCloudUrl } from "@switchboard/channels/handset/HandsetCloudApi"
import { HandsetDestination } from "@switchboard/channels/handset/HandsetPhones"
import { HandsetAddress, HandsetServer } from "@switchboard/channels/handset/HandsetServer"
import { OidcClient, OidcSettings } from "@switchboard/channels/oidc/OidcClient"
import { SmppSettings } from "@switchboard/channels/sms/SmppClient"
import { SmppTransport } from "@switchboard/channels/sms/SmppTransport"
import { type TwilioAccount, twilioAccount } from "@switchboard/channels/sms/TwilioAccount"
import { twilioCallbacks } from "@switchboard/channels/sms/TwilioCallbacks"
import { TwilioSettings, TwilioTransport } from "@switchboard/channels/sms/TwilioTransport"
import { cloudCallbacks } from "@switchboard/channels/whatsapp/CloudCallbacks"
import { CloudMedia } from "@switchboard/channels/whatsapp/CloudMedia"
import { CloudApi, CloudTransport } from "@switchboard/channels/whatsapp/CloudTransport"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { CallbackReaders, twilioCallbackPath } from "@switchboard/services/providers/ProviderCallbacks"
import { NoOidcProvider } from "@switchboard/services/sessions/OidcProvider"
import { NoSmsTransport } from "@switchboard/services/sms/SmsTransport"
import { NoWhatsAppMedia } from "@switchboard/services/whatsapp/WhatsAppMedia"
import { NoWhatsAppTransport } from "@switchboard/services/whatsapp/WhatsAppTransport"
import { Effect, Layer, Option, Redacted } from "effect"
import { baseUrl } from "../settings/BaseUrl.js"
import { oidcAccount } from "../settings/OidcSettings.js"
import { handsetPort } from "../settings/ServiceSettings.js"
import { Settings } from "../settings/Settings.js"
import { cloudApi } from "../settings/WhatsAppSettings.js"

/** The SMPP server at a URL. */
const smppAt = (url: Redacted.Redacted<string>) => Layer.provide(SmppTransport, Layer.succeed(SmppSettings, { url }))

/** The API of a Twilio account. */
export const twilioAt = (account: TwilioAccount, publicUrl: string) =>
  Layer.provide(
    TwilioTransport,
    Layer.succeed(TwilioSettings, { account, statusCallback: `${publicUrl}${twilioCallbackPath}` })
  )

/** The local handset over SMPP, which this layer starts. */
const HandsetTexts = Layer.unwrapEffect(
  Effect.gen(function* () {
    const address = yield* HandsetAddress
    yield* Effect.flatMap(HandsetDestination, ({ set }) => set(address))
    return smppAt(Redacted.make(`smpp://switchboard@${address.host}:${address.port}`))
  })
).pipe(Layer.provide(HandsetServer))

/** The provider of text messages at `SMS_URL`; without it the local handset, or none. */
export const SmsLive = Settings.layer((settings) =>
  Option.match(settings.smsUrl, {
    onSome: (url) =>
      Option.match(twilioAccount(url), {
        onSome: (account) => twilioAt(account, baseUrl(settings)),
        onNone: () => smppAt(url)
      }),
    onNone: () => (Option.isSome(handsetPort(settings)) ? HandsetTexts : NoSmsTransport)
  })
)

/** The Cloud API of an account. */
export const cloudAt = (api: typeof CloudApi.Service) => Layer.provide(CloudTransport, Layer.succeed(CloudApi, api))

/** Sends messages over a Cloud API, and downloads the files of received ones. */
const whatsappAt = (api: typeof CloudApi.Service) =>
  Layer.provide(Layer.merge(CloudTransport, CloudMedia), Layer.succeed(CloudApi, api))

/** The Cloud API of the local handset, which this layer starts. */
const HandsetWhatsApp = Layer.unwrapEffect(
  Effect.map(HandsetCloudUrl, (url) => whatsappAt({ url, phoneNumberId: null, token: Redacted.make("handset") }))
).pipe(Layer.provide(HandsetCloudApi))

const NoWhatsApp = Layer.merge(NoWhatsAppTransport, NoWhatsAppMedia)

/** The WhatsApp account of the settings; without it the local handset, or none. */
export const WhatsAppLive = Settings.layer((settings) =>
  Option.match(cloudApi(settings), {
    onSome: whatsappAt,
    onNone: () => (Option.isSome(handsetPort(settings)) ? HandsetWhatsApp : NoWhatsApp)
  })
)

/** The callbacks of the providers that are set, and of the local handset. */
export const CallbackReadersLive = Layer.effect(
  CallbackReaders,
  Effect.gen(function* () {
    const settings = yield* Settings
    const publicUrl = yield* PublicUrl
    const { appSecret } = yield* HandsetCallbackTarget
    const account = cloudApi(settings).pipe(
      Option.orElse(() => Option.as(handsetPort(settings), { appSecret, verifyToken: appSecret }))
    )
    return {
      twilio: Option.map(Option.flatMap(settings.smsUrl, twilioAccount), (one) => twilioCallbacks(one, publicUrl)),
      whatsapp: Option.map(account, cloudCallbacks)
    }
  })
)

/** The provider of OpenID Connect of the settings, or none. */
export const OidcProviderLive = Settings.layer((settings) =>
  Option.match(oidcAccount(settings), {
    onSome: (account) => Layer.provide(OidcClient, Layer.succeed(OidcSettings, account)),
    onNone: () => NoOidcProvider
  })
)
