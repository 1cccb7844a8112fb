import { DnsFailed } from "@switchboard/services/network/DnsResolver"
import { sharedLookup } from "@switchboard/services/SharedLookup"
import type { Answer } from "dns-packet"
import { Array, DateTime, Duration, Effect, Option } from "effect"
import { authenticatedDns, type DnsAnswer } from "../../network/AuthenticatedDns.js"
import { NetworkSettings } from "../../network/NetworkPolicy.js"
import { type TlsaRecord, usableTlsa } from "./TlsaRecord.js"

/** The maximum age of a result, if no record expires earlier. */
const maxAge = Duration.minutes(1)

/** The servers in memory. */
const maxServers = 5_000

/** A mail server of a recipient domain. */
interface MailServer {
  readonly domain: string
  readonly host: string
  readonly port: number
}

/** None without authenticated TLSA records; empty if all of them are unusable. */
type DaneRecords = Option.Option<ReadonlyArray<TlsaRecord>>

const plainName = (name: string): string => name.replace(/\.$/, "").toLowerCase()

type AnswerOf<Type extends Answer["type"]> = Extract<Answer, { readonly type: Type }>

const isOfType =
  <Type extends Answer["type"]>(type: Type) =>
  (record: Answer): record is AnswerOf<Type> =>
    record.type === type

/** The name at the end of the aliases of a host. */
const canonicalName = (host: string, { records }: DnsAnswer): string => {
  const aliases = new Map(records.filter(isOfType("CNAME")).map(({ data, name }) => [plainName(name), plainName(data)]))
  let name = host
  // Each alias is used once: they can form a loop.
  for (let target = aliases.get(name); target !== undefined; target = aliases.get(name)) {
    aliases.delete(name)
    name = target
  }
  return name
}

const secondsToLive = (records: ReadonlyArray<Answer>): number =>
  Math.min(...records.map((record) => ("ttl" in record ? (record.ttl ?? 0) : Number.POSITIVE_INFINITY)))

/**
 * Finds the TLSA records of mail servers (RFC 7672 section 2.2). Fails if they can't be looked up, or if the authenticated
 * MX records of the domain do not name the server.
 */
export const daneRecords: Effect.Effect<
  { readonly find: (server: MailServer) => Effect.Effect<DaneRecords, DnsFailed> },
  never,
  NetworkSettings
> = Effect.gen(function* () {
  const { isAvailable, query } = authenticatedDns(yield* NetworkSettings)

  /** The TLSA base domains of a host, the preferred one first (RFC 7672 section 2.2.2). None in an unsigned zone. */
  const baseDomains = Effect.fnUntraced(function* (host: string) {
    // An answer without IPv4 addresses is authenticated too, so that AAAA is not queried.
    const addresses = yield* query("A", host)
    if (addresses.isAuthenticated) return Array.dedupe([canonicalName(host, addresses), host])
    // An alias can be signed while its target is not.
    if (!addresses.records.some(isOfType("CNAME"))) return []
    return (yield* query("CNAME", host)).isAuthenticated ? [host] : []
  })

  const lookup = Effect.fnUntraced(function* ({ domain, host, port }: MailServer) {
    const expiresAfter = (records: ReadonlyArray<Answer>) =>
      Effect.map(DateTime.now, (now) =>
        DateTime.addDuration(now, Duration.min(maxAge, Duration.seconds(secondsToLive(records))))
      )
    const exchanges = yield* query("MX", domain)
    const none = Effect.map(expiresAfter(exchanges.records), (expiresAt) => ({
      found: Option.none<ReadonlyArray<TlsaRecord>>(),
      expiresAt
    }))
    if (!exchanges.isAuthenticated) return yield* none
    const servers = exchanges.records.filter(isOfType("MX")).map(({ data }) => plainName(data.exchange))
    if (!(servers.length === 0 ? [domain] : servers).includes(host)) {
      const message = `The authenticated MX records of ${domain} do not name ${host}`
      return yield* new DnsFailed({ message })
    }
    for (const name of yield* baseDomains(host)) {
      const { isAuthenticated, records } = yield* query("TLSA", `_${port}._tcp.${name}`)
      const tlsa = records.filter(isOfType("TLSA"))
      if (!isAuthenticated || tlsa.length === 0) continue
      const found = Option.some(Array.filterMap(tlsa, ({ data }) => usableTlsa(name, data)))
      return { found, expiresAt: yield* expiresAfter(records) }
    }
    return yield* none
  })

  const servers = yield* sharedLookup({
    capacity: maxServers,
    timeToLive: maxAge,
    lookup,
    idOf: ({ domain, host, port }: MailServer) => `${domain} ${host} ${port}`
  })

  return {
    find: ({ domain, host, port }) =>
      isAvailable
        ? Effect.flatMap(DateTime.now, (now) =>
            servers.get({ domain: plainName(domain), host: plainName(host), port }, ({ expiresAt }) =>
              DateTime.greaterThan(expiresAt, now)
            )
          ).pipe(Effect.map(({ found }) => found))
        : Effect.succeedNone
  }
})
