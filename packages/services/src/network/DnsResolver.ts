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
  }
>() {}
