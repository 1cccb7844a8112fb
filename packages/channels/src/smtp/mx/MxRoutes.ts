import { addressDomain } from "@switchboard/domain/email/EmailAddress"
import { Destinations } from "@switchboard/services/messages/delivery/Destinations"
import type { Routed } from "@switchboard/services/messages/delivery/MailTransport"
import { ProviderUnavailable, SendPostponed } from "@switchboard/services/messages/delivery/Provider"
import { makeBreaker, type ProviderBreaker } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { Context, DateTime, Effect, Either, Exit, Layer, Metric, Scope } from "effect"
import type { NonEmptyReadonlyArray } from "effect/Array"
import { LRUCache } from "lru-cache"
import { measuredEvents } from "../../messages/SendOverSmtp.js"
import { type RoutesTo, type SmtpRoute, SmtpRoutes } from "../../messages/SmtpRoutes.js"
import { type Destination, destinationPauses, type MxOptions, makeDestination, mxProvider } from "./Destination.js"
import { type MailServer, MailServers } from "./MailServers.js"

/** The connections to mail servers: `MX_HOSTNAME`, `MX_PORT`, `MX_SOURCE_ADDRESSES`, `MX_CONCURRENCY`. */
export class MxSettings extends Context.Tag("channels/MxSettings")<MxSettings, MxOptions>() {}

/** Beyond this number, idle destinations are removed. */
const maxDestinations = 5_000

/** Domains whose mail servers could not be found lately. */
const maxUnresolved = 10_000

/** Attempts that wait for the look-up of one domain: others are postponed. */
const maxLookups = 10

const pausedDestinations = Metric.gauge("switchboard_destinations_paused", {
  description: "Destinations of direct delivery that are paused after an outage"
})

/** Domains with the same servers and the same TLS policy share a destination. */
const keyOf = (servers: NonEmptyReadonlyArray<MailServer>): string =>
  servers
    .map(({ host, security }) => `${host} ${security.tls}`)
    .sort()
    .join(",")

/** Sends mail to the mail servers of its recipients. */
export const MxRoutes = Layer.scoped(
  SmtpRoutes,
  Effect.gen(function* () {
    const settings = yield* MxSettings
    const servers = yield* MailServers
    const shown = yield* Destinations
    const scope = yield* Effect.scope
    const connections = measuredEvents("messages", mxProvider)
    const destinations = new Map<string, { readonly destination: Destination; readonly scope: Scope.CloseableScope }>()
    const unresolved = new LRUCache<string, ProviderBreaker>({ max: maxUnresolved })
    const lookups = new Map<string, number>()
    const opening = yield* Effect.makeSemaphore(1)
    const unpaused = yield* makeBreaker(destinationPauses, () => Effect.void)

    let paused = 0
    yield* Metric.set(pausedDestinations, paused)
    const pauseCounter = () => {
      let isCounted = false
      return (isPaused: boolean) =>
        Effect.suspend(() => {
          if (isPaused !== isCounted) paused += isPaused ? 1 : -1
          isCounted = isPaused
          return Metric.set(pausedDestinations, paused)
        })
    }

    const removeIdle = Effect.suspend(() =>
      Effect.forEach(
        [...destinations].filter(([, { destination }]) => destination.isIdle()),
        ([key, { scope }]) => {
          destinations.delete(key)
          return Scope.close(scope, Exit.void)
        },
        { discard: true }
      )
    )

    const destinationOf = (found: NonEmptyReadonlyArray<MailServer>) =>
      Effect.suspend(() => {
        const known = destinations.get(keyOf(found))?.destination
        if (known === undefined) return opening.withPermits(1)(open(found))
        known.update(found)
        return Effect.succeed(known)
      })

    /** One at a time, so that concurrent mails to a new destination share it. */
    const open = Effect.fnUntraced(function* (found: NonEmptyReadonlyArray<MailServer>) {
      const key = keyOf(found)
      const known = destinations.get(key)
      if (known !== undefined) return known.destination
      if (destinations.size >= maxDestinations) yield* removeIdle
      const own = yield* Scope.fork(scope, { _tag: "Sequential" })
      const destination = yield* Scope.extend(
        makeDestination(found, settings, { connections, setPaused: pauseCounter() }),
        own
      )
      yield* Scope.extend(shown.show(destination.state), own)
      destinations.set(key, { destination, scope: own })
      return destination
    })

    const routeWith = (domain: string, breaker: ProviderBreaker, send: SmtpRoute["send"]): SmtpRoute => ({
      provider: mxProvider,
      noun: "destination",
      address: domain,
      breaker,
      send
    })

    /** Mail to a domain whose servers can't be found waits as for an outage. */
    const unavailable = (domain: string, breaker: ProviderBreaker, response: string) =>
      routeWith(domain, breaker, () => new ProviderUnavailable({ response }))

    const waiting = (domain: string) =>
      routeWith(domain, unpaused, () =>
        Effect.flatMap(DateTime.now, (now) => new SendPostponed({ until: DateTime.add(now, { seconds: 1 }) }))
      )

    const countLookup = (domain: string, change: 1 | -1) =>
      Effect.sync(() => {
        const count = (lookups.get(domain) ?? 0) + change
        if (count === 0) lookups.delete(domain)
        else lookups.set(domain, count)
      })

    const find = (domain: string) =>
      Effect.acquireUseRelease(
        countLookup(domain, 1),
        () => Effect.either(servers.get(domain)),
        () => countLookup(domain, -1)
      )

    const routeOf = Effect.fnUntraced(function* (domain: string) {
      const failing = unresolved.get(domain)
      if (failing !== undefined && (yield* failing.peek)._tag === "None") return unavailable(domain, failing, "")
      if ((lookups.get(domain) ?? 0) >= maxLookups) return waiting(domain)
      const found = yield* find(domain)
      if (Either.isLeft(found)) {
        const breaker = failing ?? (yield* makeBreaker(destinationPauses, () => Effect.void))
        unresolved.set(domain, breaker)
        return unavailable(domain, breaker, found.left.response)
      }
      unresolved.delete(domain)
      if (found.right._tag === "Found") return (yield* destinationOf(found.right.servers)).route
      const { reason, response } = found.right
      return routeWith(domain, unpaused, ({ rcptTo }) =>
        Effect.succeed({
          replies: rcptTo.map((recipient) => ({ recipient, verdict: "refused", response, reason })),
          response: null,
          providerMessageId: null
        })
      )
    })

    const routesTo: RoutesTo = Effect.fnUntraced(function* (_, recipients) {
      const domains = [...new Set(recipients.map((recipient) => addressDomain(recipient).toLowerCase()))]
      const routes = yield* Effect.forEach(
        domains,
        (domain) => Effect.map(routeOf(domain), (route) => ({ domain, route })),
        {
          concurrency: "unbounded"
        }
      )
      const byRoute = new Map<SmtpRoute, ReadonlySet<string>>()
      for (const { domain, route } of routes) byRoute.set(route, new Set([...(byRoute.get(route) ?? []), domain]))
      return [...byRoute].map(
        ([route, own]): Routed<SmtpRoute> => ({
          route,
          recipients: recipients.filter((recipient) => own.has(addressDomain(recipient).toLowerCase()))
        })
      )
    })

    return { messages: routesTo, forwards: routesTo, admission: Effect.succeed({ _tag: "All" }) }
  })
)
