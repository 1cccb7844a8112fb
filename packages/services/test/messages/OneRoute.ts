import { type MailRoute, MailTransport } from "@switchboard/services/messages/delivery/MailTransport"
import { ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { Effect, Layer } from "effect"

/** A transport with one route. */
export const transportOver = (send: MailRoute["send"]) =>
  Layer.effect(
    MailTransport,
    Effect.gen(function* () {
      const breaker = yield* Effect.flatMap(ProviderBreakers, ({ ofRelay }) => ofRelay("relay.test:25"))
      const route: MailRoute = { provider: "smtp", noun: "relay", address: "relay.test:25", breaker, send }
      return {
        routesTo: (_, recipients) => Effect.succeed([{ route, recipients }]),
        admission: breaker.peek
      }
    })
  ).pipe(Layer.provide(ProviderBreakers.Default))
