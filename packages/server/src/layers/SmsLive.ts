import { HandsetDestination } from "@switchboard/channels/handset/HandsetPhoneSmpp"
import { HandsetAddress, HandsetServer } from "@switchboard/channels/handset/HandsetServer"
import { SmppSettings } from "@switchboard/channels/sms/SmppClient"
import { SmppTransport } from "@switchboard/channels/sms/SmppTransport"
import { NoSmsTransport } from "@switchboard/services/sms/SmsTransport"
import { Effect, Layer, Option, Redacted } from "effect"
import { handsetPort } from "../settings/ServiceSettings.js"
import { Settings } from "../settings/Settings.js"

/** The SMPP server at a URL. */
const providerAt = (url: Redacted.Redacted<string>) =>
  Layer.provide(SmppTransport, Layer.succeed(SmppSettings, { url }))

/** The local handset, which this layer starts. */
const HandsetLive = Layer.unwrapEffect(
  Effect.gen(function* () {
    const address = yield* HandsetAddress
    yield* Effect.flatMap(HandsetDestination, ({ set }) => set(address))
    return providerAt(Redacted.make(`smpp://switchboard@${address.host}:${address.port}`))
  })
).pipe(Layer.provide(HandsetServer))

/** The provider of text messages at `SMS_URL`; without it the local handset, or none. */
export const SmsLive = Settings.layer((settings) =>
  Option.match(settings.smsUrl, {
    onSome: providerAt,
    onNone: () => (Option.isSome(handsetPort(settings)) ? HandsetLive : NoSmsTransport)
  })
)
