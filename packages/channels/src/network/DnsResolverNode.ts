import { Resolver } from "node:dns"
import { DnsAbsent, DnsFailed, DnsResolver } from "@switchboard/services/network/DnsResolver"
import { Duration, Effect, Layer, Predicate } from "effect"
import { storableText } from "../StorableText.js"
import { NetworkSettings } from "./NetworkPolicy.js"

/** The maximum length of a CNAME chain; a longer one is a loop. */
const maxAliases = 8

/** Error codes of a name that does not exist, or is not a valid name. */
const noSuchName: ReadonlyArray<string> = ["ENOTFOUND", "ENONAME", "EBADNAME"]

const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : "unknown"

const failureOf = (error: unknown, what: string): DnsAbsent | DnsFailed => {
  const code = codeOf(error)
  if (code === "ENODATA") return new DnsAbsent({ reason: "NoData" })
  if (noSuchName.includes(code)) return new DnsAbsent({ reason: "NoSuchName" })
  return new DnsFailed({ message: `No name server answered the query for ${what} (${code})` })
}

/** A name in lower case, without the final dot of a fully qualified name. */
const plainName = (name: string): string => name.replace(/\.$/, "").toLowerCase()

/** Queries the name servers of the settings, or else of this machine. Answers are not cached. */
export const DnsResolverNode = Layer.effect(
  DnsResolver,
  Effect.map(NetworkSettings, ({ dnsServers, dnsTimeout = "10 seconds" }) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (dnsServers.length > 0) resolver.setServers(dnsServers)

    const query = <A>(
      kind: string,
      name: string,
      send: (callback: (error: Error | null, found: ReadonlyArray<A>) => void) => void
    ) =>
      Effect.async<ReadonlyArray<A>, DnsAbsent | DnsFailed>((resume) =>
        send((error, found) => {
          if (error !== null) resume(Effect.fail(failureOf(error, `${kind} ${name}`)))
          // c-ares returns an answer of CNAME records only as an empty list.
          else resume(found.length === 0 ? new DnsAbsent({ reason: "NoData" }) : Effect.succeed(found))
        })
      )

    const alias = (name: string) => query<string>("CNAME", name, (callback) => resolver.resolveCname(name, callback))

    /** Follows CNAMEs: a server without recursion returns only the alias, or claims that the name does not exist. */
    const followAliases = <A>(
      name: string,
      lookup: (name: string) => Effect.Effect<ReadonlyArray<A>, DnsAbsent | DnsFailed>,
      aliases: number
    ): Effect.Effect<ReadonlyArray<A>, DnsAbsent | DnsFailed> =>
      Effect.catchTag(lookup(name), "DnsAbsent", (absent) =>
        Effect.flatMap(
          Effect.catchTag(alias(name), "DnsAbsent", () => Effect.succeed<ReadonlyArray<string>>([])),
          ([target]) => (target === undefined || aliases === 0 ? absent : followAliases(target, lookup, aliases - 1))
        )
      )

    const timeout = Duration.decode(dnsTimeout)
    const inTime = <A>(kind: string, name: string, lookup: Effect.Effect<ReadonlyArray<A>, DnsAbsent | DnsFailed>) =>
      Effect.timeoutFail(lookup, {
        duration: timeout,
        onTimeout: () =>
          new DnsFailed({
            message: `No name server answered the query for ${kind} ${name} within ${Duration.format(timeout)}`
          })
      })
    const bounded =
      <A>(kind: string, lookup: (name: string) => Effect.Effect<ReadonlyArray<A>, DnsAbsent | DnsFailed>) =>
      (name: string) =>
        inTime(kind, name, followAliases(name, lookup, maxAliases))

    const ipv4 = bounded("A", (name) => query<string>("A", name, (callback) => resolver.resolve4(name, callback)))
    const ipv6 = bounded("AAAA", (name) => query<string>("AAAA", name, (callback) => resolver.resolve6(name, callback)))

    return {
      txt: bounded("TXT", (name) =>
        Effect.map(
          query<ReadonlyArray<string>>("TXT", name, (callback) => resolver.resolveTxt(name, callback)),
          (texts) => texts.map((chunks) => storableText(chunks.join("")))
        )
      ),
      mx: bounded("MX", (name) =>
        Effect.map(
          query(
            "MX",
            name,
            (callback: (error: Error | null, found: ReadonlyArray<{ exchange: string; priority: number }>) => void) =>
              resolver.resolveMx(name, callback)
          ),
          (found) =>
            found
              .map(({ exchange, priority }) => ({ exchange: plainName(exchange), priority }))
              .sort((one, other) => one.priority - other.priority)
        )
      ),
      ns: bounded("NS", (name) =>
        Effect.map(
          query<string>("NS", name, (callback) => resolver.resolveNs(name, callback)),
          (found) => found.map(plainName)
        )
      ),
      alias: (name) => Effect.map(inTime("CNAME", name, alias(name)), (found) => found.map(plainName)),
      addresses: (name, family) => (family === 4 ? ipv4 : ipv6)(name),
      names: bounded("PTR", (name) =>
        Effect.map(
          query<string>("PTR", name, (callback) => resolver.resolvePtr(name, callback)),
          (found) => found.map(plainName)
        )
      )
    }
  })
)
