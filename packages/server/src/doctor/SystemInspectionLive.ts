import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { Destinations } from "@switchboard/services/messages/delivery/Destinations"
import { ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { SystemInspection } from "@switchboard/services/system/System"
import { Version } from "@switchboard/services/Version"
import { Effect, Layer, Option, Redacted } from "effect"
import { Parts } from "../run/Parts.js"
import { handsetPort } from "../settings/ServiceSettings.js"
import { Settings } from "../settings/Settings.js"
import { cloudApi } from "../settings/WhatsAppSettings.js"
import { databaseFindings, otherFindings } from "./Checks.js"

/** Makes the checks of `switchboard doctor` in the running service, over its own connections. */
export const SystemInspectionLive = Layer.effect(
  SystemInspection,
  Effect.gen(function* () {
    const settings = yield* Settings
    const version = yield* Version
    const { worker } = yield* Parts
    const breakers = yield* ProviderBreakers
    const destinations = yield* Destinations
    const smsProvider = Option.match(settings.smsUrl, {
      onNone: () => (Option.isSome(handsetPort(settings)) ? "local handset" : "none: set SMS_URL"),
      onSome: (url) => new URL(Redacted.value(url)).host
    })
    const whatsappProvider = Option.match(cloudApi(settings), {
      onNone: () => (Option.isSome(handsetPort(settings)) ? "local handset" : "none: set WHATSAPP_TOKEN"),
      onSome: (api) => new URL(api.url).host
    })
    const check = Effect.zipWith(databaseFindings, otherFindings, (stored, others) => [...stored, ...others])
    const context = yield* Effect.context<Effect.Effect.Context<typeof check>>()
    return {
      version,
      relays: worker
        ? Effect.flatMap(breakers.relays, (relays) =>
            Effect.forEach(
              [
                ...relays.map(({ breaker, relay }) => ({
                  channel: "email" as const,
                  relay: Option.isNone(settings.smtpUrl) ? "local mailbox" : relay,
                  breaker
                })),
                { channel: "sms" as const, relay: smsProvider, breaker: breakers.sms },
                { channel: "whatsapp" as const, relay: whatsappProvider, breaker: breakers.whatsapp }
              ],
              ({ breaker, ...one }) => Effect.map(breaker.status, (status) => ({ ...one, ...status }))
            )
          )
        : Effect.succeed([]),
      destinations: destinations.all,
      check: Effect.provide(check, context)
    }
  })
).pipe(Layer.provide(Layer.mergeAll(DomainChecks.Default, ProviderBreakers.Default, Destinations.Default)))
