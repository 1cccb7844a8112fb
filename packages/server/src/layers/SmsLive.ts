import { HandsetDestination } from "@switchboard/channels/handset/HandsetPhones"
import { HandsetAddress, HandsetServer } from "@switchboard/channels/handset/HandsetServer"
import { SmppSettings } from "@switchboard/channels/sms/SmppClient"
import { SmppTransport } from "@switchboard/channels/sms/SmppTransport"
import { type TwilioAccount, twilioAccount } from "@switchboard/channels/sms/TwilioAccount"
import { TwilioSettings, TwilioTransport } from "@switchboard/channels/sms/TwilioTransport"
import { twilioCallbackPath } from "@switchboard/services/providers/ProviderCallbacks"
import { NoSmsTransport } from "@switchboard/services/sms/SmsTransport"
import { Effect, Layer, Option, Redacted } from "effect"
import { baseUrl } from "../settings/BaseUrl.js"
import { handsetPort } from "../settings/ServiceSettings.js"
import { Settings } from "../settings/Settings.js"

/** The SMPP server at a URL. */
const smppAt = (url: Redacted.Redacted<string>) => Layer.provide(SmppTransport, Layer.succeed(SmppSettings, { url }))

/** The API of a Twilio account. */
export const twilioAt = (account: TwilioAccount, publicUrl: string) =>
  Layer.provide(
    TwilioTransport,
    Layer.succeed(TwilioSettings, { account, statusCallback: `${publicUrl}${twilioCallbackPath}` })
  )

/** The local handset, which this layer starts. */
const HandsetLive = Layer.unwrapEffect(
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
    onNone: () => (Option.isSome(handsetPort(settings)) ? HandsetLive : NoSmsTransport)
  })
)
