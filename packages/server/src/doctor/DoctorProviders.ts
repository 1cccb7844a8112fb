import { probeSmpp, serverName, smppServer } from "@switchboard/channels/sms/SmppClient"
import { type TwilioAccount, twilioAccount } from "@switchboard/channels/sms/TwilioAccount"
import type { Finding } from "@switchboard/domain/system/SystemStatus"
import type { ProviderUnavailable } from "@switchboard/services/messages/delivery/Provider"
import { twilioCallbackPath, whatsappCallbackPath } from "@switchboard/services/providers/ProviderCallbacks"
import { SmsTransport } from "@switchboard/services/sms/SmsTransport"
import { WhatsAppTransport } from "@switchboard/services/whatsapp/WhatsAppTransport"
import { Array, Effect, Option } from "effect"
import { cloudAt, twilioAt } from "../layers/ProvidersLive.js"
import { baseUrl, isLoopback } from "../settings/BaseUrl.js"
import { handsetPort } from "../settings/ServiceSettings.js"
import { Settings } from "../settings/Settings.js"
import { cloudApi } from "../settings/WhatsAppSettings.js"

const providerFinding = (subject: string, probe: Effect.Effect<void, ProviderUnavailable>, settings = "SMS_URL") =>
  Effect.match(probe, {
    onFailure: ({ response }): Finding => ({
      level: "error",
      subject,
      advice: [response, `Check ${settings}, and that the provider accepts connections from this host.`]
    }),
    onSuccess: (): Finding => ({ level: "ok", subject })
  })

/** Checks that a provider can call back at the public URL. */
export const callbackFinding = (publicUrl: string, path = twilioCallbackPath): Finding => {
  const subject = `Callback URL ${publicUrl}${path}`
  const provider = path === twilioCallbackPath ? "Twilio" : "Meta"
  const { hostname, protocol } = new URL(publicUrl)
  return protocol === "https:" && !isLoopback(hostname.replace(/^\[|\]$/g, ""))
    ? { level: "ok", subject }
    : {
        level: "error",
        subject,
        advice: [
          `${provider} can't report receipts and replies to this URL: messages remain at sent, or ${provider} refuses them.`,
          "Set PUBLIC_URL to the https URL at which the internet reaches this service."
        ]
      }
}

/** Checks the credentials of a Twilio account, and the URL that Twilio calls. */
const twilioFindings = (account: TwilioAccount, publicUrl: string) =>
  Effect.map(
    providerFinding(
      `Twilio account ${account.accountSid} at ${account.address}`,
      Effect.flatMap(SmsTransport, ({ probe }) => probe).pipe(Effect.provide(twilioAt(account, publicUrl)))
    ),
    (finding) => [finding, callbackFinding(publicUrl)]
  )

/** Checks that the provider of text messages accepts a session. */
export const smsFindings: Effect.Effect<ReadonlyArray<Finding>, never, Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  if (Option.isNone(settings.smsUrl)) {
    const subject = Option.isSome(handsetPort(settings))
      ? "Text messages: the local handset, since SMS_URL is not set"
      : "Text messages: no provider, since SMS_URL is not set"
    return [{ level: "ok", subject }]
  }
  const url = settings.smsUrl.value
  return yield* Option.match(twilioAccount(url), {
    onSome: (account) => twilioFindings(account, baseUrl(settings)),
    onNone: () => Effect.map(providerFinding(`SMPP server ${serverName(smppServer(url))}`, probeSmpp(url)), Array.of)
  })
})

/** Checks the number and the token of WhatsApp, and the URL that Meta calls. */
export const whatsappFindings: Effect.Effect<ReadonlyArray<Finding>, never, Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const api = cloudApi(settings)
  if (Option.isNone(api)) {
    const subject = Option.isSome(handsetPort(settings))
      ? "WhatsApp: the local handset, since WHATSAPP_TOKEN is not set"
      : "WhatsApp: no provider, since WHATSAPP_TOKEN is not set"
    return [{ level: "ok", subject }]
  }
  const { phoneNumberId, url } = api.value
  const probe = Effect.flatMap(WhatsAppTransport, (transport) => transport.probe).pipe(
    Effect.provide(cloudAt(api.value))
  )
  const subject = `WhatsApp number ${phoneNumberId} at ${new URL(url).host}`
  const finding = yield* Effect.matchEffect(probe, {
    onSuccess: (number) => Effect.succeed<Finding>({ level: "ok", subject: `${subject}: ${number}` }),
    onFailure: (failure) => providerFinding(subject, failure, "WHATSAPP_TOKEN and WHATSAPP_PHONE_NUMBER_ID")
  })
  return [finding, callbackFinding(baseUrl(settings), whatsappCallbackPath)]
})
