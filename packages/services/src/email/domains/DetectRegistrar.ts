import { DetectedRegistrar, dnsProviderOf } from "@switchboard/domain/email/domains/DnsProviders"
import { Effect } from "effect"
import { type DnsFailed, DnsResolver } from "../../network/DnsResolver.js"
import { dnsError } from "./LookUpDomain.js"

/** The name servers of a name's zone: a name without NS records lies in the zone of a parent. */
const nameserversOf = (
  dns: typeof DnsResolver.Service,
  name: string
): Effect.Effect<ReadonlyArray<string>, DnsFailed> =>
  Effect.catchTag(dns.ns(name), "DnsAbsent", () => {
    const parent = name.slice(name.indexOf(".") + 1)
    // The name servers of a top-level domain do not identify the provider.
    return parent.includes(".") ? nameserversOf(dns, parent) : Effect.succeed([])
  })

/** Finds the DNS provider of a domain by its name servers. */
export const detectRegistrar = Effect.map(
  DnsResolver,
  (dns) => (domain: string) =>
    Effect.map(Effect.mapError(nameserversOf(dns, domain), dnsError), (nameservers) => {
      const provider = dnsProviderOf(nameservers)
      return new DetectedRegistrar({ domain, nameservers: [...nameservers].sort(), ...provider })
    })
)
