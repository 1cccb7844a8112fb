import type { FailureReason } from "@switchboard/domain/messages/delivery/FailureReason"
import { type CheckedAddress, DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { DnsResolver, type MailExchange } from "@switchboard/services/network/DnsResolver"
import { type SharedLookup, sharedLookup } from "@switchboard/services/SharedLookup"
import { Array, Context, Data, Effect, Layer, Order } from "effect"
import { TlsPolicies } from "./TlsPolicies.js"

/** A mail server of a domain. A lower `priority` is tried first. */
export interface MailServer {
  readonly host: string
  readonly priority: number
  readonly addresses: ReadonlyArray<CheckedAddress>
  readonly security: Effect.Effect.Success<ReturnType<(typeof TlsPolicies.Service)["ofServer"]>>
}

/** Where the mail of a domain goes. */
export type MailServersOf = Data.TaggedEnum<{
  /** By priority. */
  Found: { readonly servers: Array.NonEmptyReadonlyArray<MailServer> }
  /** The domain can't receive mail. `response` starts with an enhanced status code (RFC 3463). */
  None: { readonly response: string; readonly reason: FailureReason }
}>

const MailServersOf = Data.taggedEnum<MailServersOf>()

/** The mail servers can't be found or used now. */
export class MailServersUnavailable extends Data.TaggedError("MailServersUnavailable")<{ readonly response: string }> {}

/** How long the servers of a domain, their addresses and their TLS policies are reused. */
const timeToLive = "5 minutes"

const maxDomains = 10_000

/** Servers of one domain that are looked up, and addresses of one server: more are an attack or a mistake. */
const maxServers = 10
const maxAddresses = 4

const byPriority = Order.mapInput(Order.number, ({ priority }: MailExchange) => priority)

type HostResult = Data.TaggedEnum<{
  Usable: { readonly server: MailServer }
  Absent: object
  Forbidden: { readonly message: string }
  Unavailable: { readonly message: string }
}>

const HostResult = Data.taggedEnum<HostResult>()

/** Finds the mail servers of domains. */
export class MailServers extends Context.Tag("channels/MailServers")<
  MailServers,
  Pick<SharedLookup<string, MailServersOf, MailServersUnavailable>, "get">
>() {
  /** Looks up MX and address records, and checks the addresses and TLS policies. */
  static readonly layer = (port: number) =>
    Layer.effect(
      MailServers,
      Effect.gen(function* () {
        const dns = yield* DnsResolver
        const guard = yield* DestinationGuard
        const policies = yield* TlsPolicies

        /** The hosts in the order to try them (RFC 5321 section 5.1): without MX records, the domain itself. */
        const exchangesOf = (domain: string) =>
          dns.mx(domain).pipe(
            Effect.map((found) => Array.take(Array.sortBy(byPriority)(found), maxServers)),
            Effect.catchTags({
              DnsAbsent: ({ reason }) =>
                Effect.succeed(reason === "NoSuchName" ? [] : [{ exchange: domain, priority: 0 }]),
              DnsFailed: ({ message }) => new MailServersUnavailable({ response: `4.4.3 ${message}` })
            })
          )

        const hostOf = (domain: string, { exchange: host, priority }: MailExchange) =>
          Effect.gen(function* () {
            const addresses = yield* guard.checkedAddresses(host)
            const security = yield* policies.ofServer(domain, host, port)
            return HostResult.Usable({
              server: { host, priority, addresses: Array.take(addresses, maxAddresses), security }
            })
          }).pipe(
            Effect.catchTags({
              DestinationForbidden: ({ message }) => Effect.succeed(HostResult.Forbidden({ message })),
              HostUnresolved: ({ message, reason }) =>
                Effect.succeed(reason === "NoSuchHost" ? HostResult.Absent() : HostResult.Unavailable({ message })),
              DnsFailed: ({ message }) => Effect.succeed(HostResult.Unavailable({ message }))
            })
          )

        const lookup = Effect.fnUntraced(function* (domain: string) {
          const exchanges = yield* exchangesOf(domain)
          if (exchanges.length === 0) {
            return MailServersOf.None({
              response: `5.1.2 The domain ${domain} does not exist`,
              reason: "host_unknown"
            })
          }
          const named = exchanges.filter(({ exchange }) => exchange !== "")
          // A null MX beside other records has no meaning (RFC 7505 section 3).
          if (named.length === 0) {
            return MailServersOf.None({
              response: `5.1.10 The domain ${domain} accepts no mail (null MX, RFC 7505)`,
              reason: "host_unknown"
            })
          }
          const { allows } = yield* policies.ofDomain(domain)
          const allowed = named.filter(({ exchange }) => allows(exchange))
          if (allowed.length === 0) {
            return yield* new MailServersUnavailable({
              response: `4.7.5 The MTA-STS policy of ${domain} allows none of its mail servers (RFC 8461)`
            })
          }
          const results = yield* Effect.forEach(allowed, (exchange) => hostOf(domain, exchange), {
            concurrency: "unbounded"
          })
          const servers = results.flatMap((result) => (result._tag === "Usable" ? [result.server] : []))
          if (Array.isNonEmptyReadonlyArray(servers)) return MailServersOf.Found({ servers })
          for (const result of results) {
            if (result._tag === "Unavailable") {
              return yield* new MailServersUnavailable({ response: `4.4.3 ${result.message}` })
            }
          }
          for (const result of results) {
            if (result._tag === "Forbidden") {
              return MailServersOf.None({ response: `5.4.4 ${result.message}`, reason: "policy" })
            }
          }
          return MailServersOf.None({
            response: `5.4.4 The mail servers of ${domain} have no address`,
            reason: "host_unknown"
          })
        })

        return yield* sharedLookup({ capacity: maxDomains, timeToLive, lookup, idOf: (domain: string) => domain })
      })
    )
}
