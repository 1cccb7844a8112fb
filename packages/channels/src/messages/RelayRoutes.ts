import { smtpProvider } from "@switchboard/domain/messages/delivery/Confirmation"
import { SendWithdrawn } from "@switchboard/services/messages/delivery/Provider"
import { type Admission, ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { Array, DateTime, Effect, Layer, Order, Random } from "effect"
import type { SmtpPool } from "../smtp/client/SmtpPool.js"
import { type ConfiguredRelay, RelaySettings, relayName } from "../smtp/client/SmtpRelay.js"
import { relayPool, sendLeased } from "./SendOverSmtp.js"
import { type SmtpRoute, SmtpRoutes } from "./SmtpRoutes.js"

/** Connections for forwarded mail to one relay. */
const maxForwardConnections = 4

interface Candidate {
  readonly relay: ConfiguredRelay
  readonly route: SmtpRoute
}

/** All attempts if a relay admits them, else a probe of one, else none until the first relay is probed. */
const byAdmission = Order.mapInput(Order.number, (admission: Admission) =>
  admission._tag === "All" ? 0 : admission._tag === "Probe" ? 1 : DateTime.toEpochMillis(admission.until)
)

/** The item at a point of the total weight, from 0 to 1. */
const atWeight = ([first, ...others]: Array.NonEmptyReadonlyArray<Candidate>, point: number): Candidate => {
  const total = others.reduce((sum, { relay }) => sum + relay.weight, first.relay.weight)
  let left = point * total - first.relay.weight
  for (const candidate of others) {
    if (left < 0) break
    left -= candidate.relay.weight
    if (left < 0) return candidate
  }
  return first
}

/**
 * Selects a relay: of those for the sender's domain, or else of those for all others, the ones with the lowest priority
 * whose circuit breakers admit an attempt, and one of these by weight. If none admits one, the first to do so.
 */
const select = Effect.fnUntraced(function* (candidates: Array.NonEmptyReadonlyArray<Candidate>) {
  const [first, ...others] = candidates
  if (others.length === 0) return first
  const admissions = yield* Effect.forEach(candidates, (candidate) =>
    Effect.map(candidate.route.breaker.peek, (admission) => ({ candidate, admission }))
  )
  const admitting = admissions.filter(({ admission }) => admission._tag !== "None").map(({ candidate }) => candidate)
  if (!Array.isNonEmptyReadonlyArray(admitting)) {
    return Array.min(
      [admissions[0], ...admissions.slice(1)],
      Order.mapInput(byAdmission, ({ admission }: (typeof admissions)[number]) => admission)
    ).candidate
  }
  const priority = Math.min(...admitting.map(({ relay }) => relay.priority))
  const preferred = admitting.filter(({ relay }) => relay.priority === priority)
  return Array.isNonEmptyReadonlyArray(preferred) ? atWeight(preferred, yield* Random.next) : first
})

/** Sends all mail over the configured relays. */
export const RelayRoutes = Layer.scoped(
  SmtpRoutes,
  Effect.gen(function* () {
    const { connections, relays } = yield* RelaySettings
    const breakers = yield* ProviderBreakers

    const candidatesFor = (use: "messages" | "forwards", connections: number) =>
      Effect.forEach(relays, (relay) =>
        Effect.gen(function* () {
          const pool: SmtpPool = yield* relayPool(relay, connections, use)
          const address = relayName(relay)
          const route: SmtpRoute = {
            provider: relays.length === 1 ? smtpProvider : address,
            noun: "relay",
            address,
            breaker: yield* breakers.ofRelay(address),
            send: (envelope, octets, lease) => sendLeased(pool, envelope, octets, lease, () => new SendWithdrawn())
          }
          return { relay, route }
        })
      )

    const routesOver = (candidates: Array.NonEmptyReadonlyArray<Candidate>): typeof SmtpRoutes.Service.messages => {
      const general = candidates.filter(({ relay }) => relay.domains.length === 0)
      return (senderDomain, recipients) => {
        const own = candidates.filter(({ relay }) => relay.domains.includes(senderDomain))
        const eligible = own.length > 0 ? own : general
        return Effect.map(select(Array.isNonEmptyReadonlyArray(eligible) ? eligible : candidates), ({ route }) => [
          { route, recipients }
        ])
      }
    }

    const forMessages = yield* candidatesFor("messages", connections)
    yield* Effect.forEach(forMessages, ({ route }) => route.breaker.report)
    return {
      messages: routesOver(forMessages),
      forwards: routesOver(yield* candidatesFor("forwards", maxForwardConnections)),
      admission: Effect.map(
        Effect.forEach(forMessages, ({ route }) => route.breaker.peek),
        ([first, ...others]) => Array.min([first, ...others], byAdmission)
      )
    }
  })
)
