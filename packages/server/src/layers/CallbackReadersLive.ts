import { twilioAccount } from "@switchboard/channels/sms/TwilioAccount"
import { twilioCallbacks } from "@switchboard/channels/sms/TwilioCallbacks"
import { cloudCallbacks } from "@switchboard/channels/whatsapp/CloudCallbacks"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { CallbackReaders } from "@switchboard/services/providers/ProviderCallbacks"
import { Effect, Layer, Option } from "effect"
import { handsetPort } from "../settings/ServiceSettings.js"
import { Settings } from "../settings/Settings.js"
import { cloudApi } from "../settings/WhatsAppSettings.js"
import { handsetSecret } from "./WhatsAppLive.js"

/** The callbacks of the providers that are set, and of the local handset. */
export const CallbackReadersLive = Layer.effect(
  CallbackReaders,
  Effect.gen(function* () {
    const settings = yield* Settings
    const publicUrl = yield* PublicUrl
    const ofHandset = yield* handsetSecret
    const account = cloudApi(settings).pipe(
      Option.orElse(() => Option.as(handsetPort(settings), { appSecret: ofHandset, verifyToken: ofHandset }))
    )
    return {
      twilio: Option.map(Option.flatMap(settings.smsUrl, twilioAccount), (one) => twilioCallbacks(one, publicUrl)),
      whatsapp: Option.map(account, cloudCallbacks)
    }
  })
)
