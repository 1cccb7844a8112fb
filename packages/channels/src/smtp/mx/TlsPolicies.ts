import type { DnsFailed } from "@switchboard/services/network/DnsResolver"
import { Context, type Effect } from "effect"

/** How connections to one mail server are secured. */
export interface ServerTls {
  readonly tls: "opportunistic" | "encrypt" | "require" | "dane"
}
/** The TLS policy of a recipient domain. */
export interface DomainTls {
  readonly mode: "none" | "testing" | "enforce"
  readonly allows: (host: string) => boolean
}
export class TlsPolicies extends Context.Tag("channels/TlsPolicies")<
  TlsPolicies,
  {
    readonly ofDomain: (domain: string) => Effect.Effect<DomainTls>
    readonly ofServer: (domain: string, host: string, port: number) => Effect.Effect<ServerTls, DnsFailed>
  }
>() {}
