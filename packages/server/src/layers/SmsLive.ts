import { HandsetDestination } from "@switchboard/channels/handset/HandsetPhoneSmpp"
import { HandsetAddress, HandsetServer } from "@switchboard/channels/handset/HandsetServer"
import { SmppSettings } from "@switchboard/channels/sms/SmppClient"
import { SmppTransport } from "@switchboard/channels/sms/SmppTransport"
import { Effect, Layer, Option, Redacted } from "effect"
import { Settings } from "../settings/Settings.js"

/** The SMPP server at a URL. */
const providerAt = (url: Redacted.Redacted<string>) =>
  Layer.provide(SmppTransport, Layer.succeed(SmppSettings, { url }))

/** The provider of text messages at `SMS_URL`; without it the local handset, which this layer starts. */
export const SmsLive = Settings.layer(({ smsUrl }) =>
  Option.match(smsUrl, {
    onSome: providerAt,
    onNone: () =>
      Layer.unwrapEffect(
        Effect.gen(function* () {
          const address = yield* HandsetAddress
          yield* Effect.flatMap(HandsetDestination, ({ set }) => set(address))
          return providerAt(Redacted.make(`smpp://switchboard@${address.host}:${address.port}`))
        })
      ).pipe(Layer.provide(HandsetServer))
  })
)
