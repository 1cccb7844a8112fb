import { relayName } from "@switchboard/channels/smtp/client/SmtpRelay"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { SystemInspection } from "@switchboard/services/system/System"
import { Version } from "@switchboard/services/Version"
import { Effect, Layer, Option, Redacted } from "effect"
import { relayOf } from "../layers/RelayLive.js"
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
    const relay = Option.match(settings.smtpUrl, {
      onNone: () => "local mailbox",
      onSome: (url) => relayName(relayOf(settings, url))
    })
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
        ? Effect.forEach(
            [
              { channel: "email", relay },
              { channel: "sms", relay: smsProvider },
              { channel: "whatsapp", relay: whatsappProvider }
            ] as const,
            (one) => Effect.map(breakers[one.channel].status, (status) => ({ ...one, ...status }))
          )
        : Effect.succeed([]),
      check: Effect.provide(check, context)
    }
  })
).pipe(Layer.provide(DomainChecks.Default), Layer.provide(ProviderBreakers.Default))
