import { Context, type Duration } from "effect"
import type { HostLookup } from "./HostLookup.js"
import type { Network } from "./NetworkPolicy.js"

/** The name servers, and the networks that may be called. */
export class NetworkSettings extends Context.Tag("channels/NetworkSettings")<
  NetworkSettings,
  {
    /** `DNS_SERVERS`, such as `192.0.2.53:53`. Default: the name servers of this machine. */
    readonly dnsServers: ReadonlyArray<string>
    /** The timeout of one query, over all servers and aliases. Default: 10 seconds. */
    readonly dnsTimeout?: Duration.DurationInput
    /** `NETWORK_ALLOW` */
    readonly allow: ReadonlyArray<Network>
    /** Replaces the resolver of host names; for tests. */
    readonly hostLookup?: HostLookup
    /** The addresses of this machine. Default: those of its interfaces. */
    readonly ownAddresses?: () => ReadonlyArray<string>
  }
>() {}
