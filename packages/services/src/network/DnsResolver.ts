import { Context, Data, type Effect } from "effect"

/** There is nothing of this kind at the name: no such name at all, or a name that has other records. */
export class DnsAbsent extends Data.TaggedError("DnsAbsent")<{ readonly reason: "NoSuchName" | "NoData" }> {}

/** No name server said whether there is. The message names what was asked, and what came of it. */
export class DnsFailed extends Data.TaggedError("DnsFailed")<{ readonly message: string }> {}

/** Where mail for a name goes; the least priority comes first. */
export interface MailExchange {
  readonly exchange: string
  readonly priority: number
}

/** Asks name servers. A name that is another's alias (CNAME) is answered with the other's records. */
export class DnsResolver extends Context.Tag("services/DnsResolver")<
  DnsResolver,
  {
    /** Each text in one piece, whatever the pieces that it was sent in. */
    readonly txt: (name: string) => Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed>
    readonly mx: (name: string) => Effect.Effect<ReadonlyArray<MailExchange>, DnsAbsent | DnsFailed>
    readonly ns: (name: string) => Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed>
    /** The IPv4 or IPv6 addresses of a host: never to be dialled, which is the DestinationGuard's to say. */
    readonly addresses: (name: string, family: 4 | 6) => Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed>
    /** The names at an address's own name, like `1.2.0.192.in-addr.arpa` (PTR). */
    readonly names: (name: string) => Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed>
  }
>() {}
