import { Resolver } from "node:dns"
import { DnsAbsent, DnsFailed, DnsResolver } from "@switchboard/services/network/DnsResolver"
import { Duration, Effect, Layer, Predicate } from "effect"
import { storableText } from "../StorableText.js"
import { NetworkSettings } from "./NetworkSettings.js"

/** How many aliases are followed: more lead in a circle. */
const mostAliases = 8

/** What means that the name is not there: also one that no name can be. */
const noSuchName: ReadonlyArray<string> = ["ENOTFOUND", "ENONAME", "EBADNAME"]

const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : "unknown"

const failureOf = (error: unknown, what: string): DnsAbsent | DnsFailed => {
  const code = codeOf(error)
  if (code === "ENODATA") return new DnsAbsent({ reason: "NoData" })
  if (noSuchName.includes(code)) return new DnsAbsent({ reason: "NoSuchName" })
  return new DnsFailed({ message: `No name server answered for ${what} (${code})` })
}

/** Names without the final dot that says that they are whole, in lower case. */
const plainName = (name: string): string => name.replace(/\.$/, "").toLowerCase()

/** The name servers of the settings, or of this machine. */
export const DnsResolverNode = Layer.effect(
  DnsResolver,
  Effect.map(NetworkSettings, ({ dnsServers, dnsTimeout = "10 seconds" }) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (dnsServers.length > 0) resolver.setServers(dnsServers)

    const question = <A>(
      kind: string,
      name: string,
      ask: (callback: (error: Error | null, found: ReadonlyArray<A>) => void) => void
    ) =>
      Effect.async<ReadonlyArray<A>, DnsAbsent | DnsFailed>((resume) =>
        ask((error, found) => {
          if (error !== null) resume(Effect.fail(failureOf(error, `${kind} ${name}`)))
          // An answer of aliases alone comes as no record.
          else resume(found.length === 0 ? new DnsAbsent({ reason: "NoData" }) : Effect.succeed(found))
        })
      )

    const alias = (name: string) => question<string>("CNAME", name, (callback) => resolver.resolveCname(name, callback))

    /** A server that looks nothing up for others gives the alias alone, and a simple one says that there is no such name. */
    const followed = <A>(
      name: string,
      asked: (name: string) => Effect.Effect<ReadonlyArray<A>, DnsAbsent | DnsFailed>,
      aliases: number
    ): Effect.Effect<ReadonlyArray<A>, DnsAbsent | DnsFailed> =>
      Effect.catchTag(asked(name), "DnsAbsent", (absent) =>
        Effect.flatMap(
          Effect.catchTag(alias(name), "DnsAbsent", () => Effect.succeed<ReadonlyArray<string>>([])),
          ([target]) => (target === undefined || aliases === 0 ? absent : followed(target, asked, aliases - 1))
        )
      )

    const within = Duration.decode(dnsTimeout)
    const bounded =
      <A>(kind: string, asked: (name: string) => Effect.Effect<ReadonlyArray<A>, DnsAbsent | DnsFailed>) =>
      (name: string) =>
        Effect.timeoutFail(followed(name, asked, mostAliases), {
          duration: within,
          onTimeout: () =>
            new DnsFailed({ message: `No name server answered for ${kind} ${name} within ${Duration.format(within)}` })
        })

    const ipv4 = bounded("A", (name) => question<string>("A", name, (callback) => resolver.resolve4(name, callback)))
    const ipv6 = bounded("AAAA", (name) =>
      question<string>("AAAA", name, (callback) => resolver.resolve6(name, callback))
    )

    return {
      txt: bounded("TXT", (name) =>
        Effect.map(
          question<ReadonlyArray<string>>("TXT", name, (callback) => resolver.resolveTxt(name, callback)),
          (texts) => texts.map((chunks) => storableText(chunks.join("")))
        )
      ),
      mx: bounded("MX", (name) =>
        Effect.map(
          question(
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
          question<string>("NS", name, (callback) => resolver.resolveNs(name, callback)),
          (found) => found.map(plainName)
        )
      ),
      addresses: (name, family) => (family === 4 ? ipv4 : ipv6)(name),
      names: bounded("PTR", (name) =>
        Effect.map(
          question<string>("PTR", name, (callback) => resolver.resolvePtr(name, callback)),
          (found) => found.map(plainName)
        )
      )
    }
  })
)
