import { Resolver } from "node:dns"
import { lookup } from "node:dns/promises"
import { HostUnresolved } from "@switchboard/services/network/DestinationGuard"
import { Array, Effect, Predicate } from "effect"

/** Finds the addresses of a name: one or more, in the order in which they should be dialled. */
export type HostNames = (name: string) => Effect.Effect<ReadonlyArray<string>, HostUnresolved>

const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : "unknown"

/** There is no such name, or it has no address. */
const nowhere = ["ENOTFOUND", "ENODATA", "ENONAME"]

const unresolved = (name: string, code: string) =>
  nowhere.includes(code)
    ? new HostUnresolved({ reason: "NoSuchHost", message: `The name ${name} has no address (${code})` })
    : new HostUnresolved({ reason: "NoAnswer", message: `The name ${name} could not be looked up (${code})` })

/** As every program of this machine finds them: the hosts file, name servers, whatever else it is set up with. */
export const systemNames: HostNames = (name) =>
  Effect.tryPromise({
    try: () => lookup(name, { all: true, verbatim: true }),
    catch: (error) => unresolved(name, codeOf(error))
  }).pipe(Effect.map((found) => found.map(({ address }) => address)))

/** What name servers say: those given, or this machine's. IPv6 comes first (RFC 6724). Fails with a code. */
const fromServers = (servers: ReadonlyArray<string>) => {
  const resolver = new Resolver({ timeout: 2_500, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)

  const asked = (method: "resolve4" | "resolve6", name: string) =>
    Effect.async<ReadonlyArray<string>, string>((resume) =>
      resolver[method](name, (error, found) =>
        resume(error === null ? Effect.succeed(found) : Effect.fail(codeOf(error)))
      )
    ).pipe(Effect.either)

  return Effect.fnUntraced(function* (name: string) {
    const answers = yield* Effect.all([asked("resolve6", name), asked("resolve4", name)], { concurrency: 2 })
    const found = Array.flatten(Array.getRights(answers))
    if (found.length > 0) return found
    // Whether there is no address is known only if neither question went unanswered.
    const codes = Array.getLefts(answers)
    return yield* Effect.fail(codes.find((code) => !nowhere.includes(code)) ?? "ENODATA")
  })
}

/** By these name servers alone. */
export const dnsNames = (servers: ReadonlyArray<string>): HostNames => {
  const answers = fromServers(servers)
  return (name) => Effect.mapError(answers(name), (code) => unresolved(name, code))
}

/** What a name server has nothing to say about, and what it means that there is none. */
const unknownToServers = [...nowhere, "ECONNREFUSED"]

/**
 * Name servers first, and this machine's own ways where they know nothing. The system's look-ups hold threads that all
 * look-ups of the process share, so a name whose server never answers must not get there; what does goes one by one.
 */
export const hostNames: Effect.Effect<HostNames> = Effect.map(Effect.makeSemaphore(1), (turn) => {
  const answers = fromServers([])
  return (name) =>
    Effect.catchAll(answers(name), (code) =>
      unknownToServers.includes(code)
        ? systemNames(name).pipe(Effect.uninterruptible, turn.withPermits(1), Effect.disconnect)
        : unresolved(name, code)
    )
})
