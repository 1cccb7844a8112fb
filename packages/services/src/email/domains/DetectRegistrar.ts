import { DetectedRegistrar, dnsProviderOf } from "@switchboard/domain/email/domains/DnsProviders"
import { Effect } from "effect"
import { type DnsFailed, DnsResolver } from "../../network/DnsResolver.js"
import { dnsError } from "./LookUpDomain.js"

/** Who answers for the records of a name: a name without name servers of its own lies in the zone of one above it. */
const nameserversOf = (
  dns: typeof DnsResolver.Service,
  name: string
): Effect.Effect<ReadonlyArray<string>, DnsFailed> =>
  Effect.catchTag(dns.ns(name), "DnsAbsent", () => {
    const parent = name.slice(name.indexOf(".") + 1)
    // The servers of a top level tell nothing of who keeps the records below it.
    return parent.includes(".") ? nameserversOf(dns, parent) : Effect.succeed([])
  })

/** Finds out where a domain's records are kept. */
export const detectRegistrar = Effect.map(
  DnsResolver,
  (dns) => (domain: string) =>
    Effect.map(Effect.mapError(nameserversOf(dns, domain), dnsError), (nameservers) => {
      const provider = dnsProviderOf(nameservers)
      return new DetectedRegistrar({ domain, nameservers: [...nameservers].sort(), ...provider })
    })
)
