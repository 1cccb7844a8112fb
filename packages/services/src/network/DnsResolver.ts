import { Context, Data, type Effect } from "effect"

/** The name does not exist, or has no records of this type. */
export class DnsAbsent extends Data.TaggedError("DnsAbsent")<{ readonly reason: "NoSuchName" | "NoData" }> {}

/** No name server responded. The message names the query and the problem. */
export class DnsFailed extends Data.TaggedError("DnsFailed")<{ readonly message: string }> {}

/** A mail server of a domain; the lowest priority is tried first. */
export interface MailExchange {
  readonly exchange: string
  readonly priority: number
}

/** Resolves DNS names. CNAME records are followed. */
export class DnsResolver extends Context.Tag("services/DnsResolver")<
  DnsResolver,
  {
    /** The TXT records of a name, each with its strings joined. */
    readonly txt: (name: string) => Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed>
    /** The MX records of a name. */
    readonly mx: (name: string) => Effect.Effect<ReadonlyArray<MailExchange>, DnsAbsent | DnsFailed>
    /** The NS records of a name. */
    readonly ns: (name: string) => Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed>
    /** The name that a name is an alias of (CNAME), not followed further. */
    readonly alias: (name: string) => Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed>
    /** The IPv4 or IPv6 addresses of a host. They are not checked: connect only to addresses from DestinationGuard. */
    readonly addresses: (name: string, family: 4 | 6) => Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed>
    /** The PTR records of a reverse name, for example `1.2.0.192.in-addr.arpa`. */
    readonly names: (name: string) => Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed>
  }
>() {}
