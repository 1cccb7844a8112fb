import { DetectedRegistrar, dnsProviderOf } from "@switchboard/domain/email/domains/DnsProviders"
import { Effect } from "effect"
import { type DnsFailed, DnsResolver } from "../../network/DnsResolver.js"
import { dnsError } from "./LookUpDomain.js"

/** A zone with its name servers. */
interface Zone {
  readonly nameservers: ReadonlyArray<string>
  readonly zone?: string
}

/** The zone of a name: a name without NS records lies in the zone of a parent. */
const zoneOf = (dns: typeof DnsResolver.Service, name: string): Effect.Effect<Zone, DnsFailed> =>
  dns.ns(name).pipe(
    Effect.map((nameservers): Zone => ({ zone: name, nameservers: [...nameservers].sort() })),
    Effect.catchTag("DnsAbsent", () => {
      const parent = name.slice(name.indexOf(".") + 1)
      // The name servers of a top-level domain do not identify the provider.
      return parent.includes(".") ? zoneOf(dns, parent) : Effect.succeed<Zone>({ nameservers: [] })
    })
  )

/** Finds the DNS provider of a domain by its name servers. */
export const detectRegistrar = Effect.map(
  DnsResolver,
  (dns) => (domain: string) =>
    Effect.map(
      Effect.mapError(zoneOf(dns, domain), dnsError),
      (zone) => new DetectedRegistrar({ domain, ...zone, ...dnsProviderOf(zone.nameservers) })
    )
)
