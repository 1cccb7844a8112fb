import { type MailRoute, MailTransport } from "@switchboard/services/messages/delivery/MailTransport"
import { ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { Array, Effect, Layer } from "effect"

/** A transport with a route for each name that `addressOf` returns for a recipient; by default one. */
export const transportOver = (
  send: MailRoute["send"],
  addressOf: (recipient: string) => string = () => "relay.test:25"
) =>
  Layer.effect(
    MailTransport,
    Effect.map(ProviderBreakers, ({ ofRelay }) => ({
      routesTo: (_, recipients) =>
        Effect.forEach(Object.entries(Array.groupBy(recipients, addressOf)), ([address, own]) =>
          Effect.map(ofRelay(address), (breaker) => ({
            recipients: own,
            route: { provider: "smtp", noun: "relay" as const, address, breaker, send }
          }))
        ),
      admission: Effect.succeed({ _tag: "All" as const })
    }))
  ).pipe(Layer.provide(ProviderBreakers.Default))
