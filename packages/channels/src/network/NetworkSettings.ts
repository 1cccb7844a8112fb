import { Context, type Duration } from "effect"
import type { HostNames } from "./HostNames.js"
import type { Network } from "./NetworkPolicy.js"

/** Name servers, and the networks that may be called. */
export class NetworkSettings extends Context.Tag("channels/NetworkSettings")<
  NetworkSettings,
  {
    /** `DNS_SERVERS`, like `192.0.2.53:53`; none: those of this machine. */
    readonly dnsServers: ReadonlyArray<string>
    /** For one question over all servers and aliases; 10 seconds by default. */
    readonly dnsTimeout?: Duration.DurationInput
    /** `NETWORK_ALLOW` */
    readonly allow: ReadonlyArray<Network>
    /** How the names of hosts are looked up, if not by the name servers. */
    readonly names?: HostNames
    /** The addresses of this machine, if not those of its interfaces. */
    readonly ownAddresses?: () => ReadonlyArray<string>
  }
>() {}
