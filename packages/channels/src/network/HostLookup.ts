import { Resolver } from "node:dns"
import { lookup } from "node:dns/promises"
import { HostUnresolved } from "@switchboard/services/network/DestinationGuard"
import { Array, Effect, Predicate } from "effect"

/** Resolves a host name to one or more addresses, in the order in which to connect. */
export type HostLookup = (name: string) => Effect.Effect<ReadonlyArray<string>, HostUnresolved>

const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : "unknown"

/** Error codes of a name that does not exist or has no address. */
const absentCodes = ["ENOTFOUND", "ENODATA", "ENONAME"]

const unresolved = (name: string, code: string) =>
  absentCodes.includes(code)
    ? new HostUnresolved({ reason: "NoSuchHost", message: `The name ${name} has no address (${code})` })
    : new HostUnresolved({ reason: "NoAnswer", message: `The name ${name} could not be looked up (${code})` })

/** Resolves with the system's resolver (getaddrinfo): hosts file, name servers, mDNS. */
export const systemLookup: HostLookup = (name) =>
  Effect.tryPromise({
    try: () => lookup(name, { all: true, verbatim: true }),
    catch: (error) => unresolved(name, codeOf(error))
  }).pipe(Effect.map((found) => found.map(({ address }) => address)))

/** Queries these name servers, or this machine's if the list is empty. IPv6 first (RFC 6724). Fails with an error code. */
const queryServers = (servers: ReadonlyArray<string>) => {
  const resolver = new Resolver({ timeout: 2_500, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)

  const query = (method: "resolve4" | "resolve6", name: string) =>
    Effect.async<ReadonlyArray<string>, string>((resume) =>
      resolver[method](name, (error, found) =>
        resume(error === null ? Effect.succeed(found) : Effect.fail(codeOf(error)))
      )
    ).pipe(Effect.either)

  return Effect.fnUntraced(function* (name: string) {
    const answers = yield* Effect.all([query("resolve6", name), query("resolve4", name)], { concurrency: 2 })
    const found = Array.flatten(Array.getRights(answers))
    if (found.length > 0) return found
    // The name has no address only if both queries were answered.
    const codes = Array.getLefts(answers)
    return yield* Effect.fail(codes.find((code) => !absentCodes.includes(code)) ?? "ENODATA")
  })
}

/** Resolves with these name servers only. */
export const dnsLookup = (servers: ReadonlyArray<string>): HostLookup => {
  const query = queryServers(servers)
  return (name) => Effect.mapError(query(name), (code) => unresolved(name, code))
}

/** Error codes after which the system's resolver is used: no such name, or no name server. */
const fallbackCodes = [...absentCodes, "ECONNREFUSED"]

/**
 * Queries the name servers first, then the system's resolver if they have no address for the name. getaddrinfo blocks a
 * thread of libuv's shared pool: it is not used after a timeout, and runs one lookup at a time.
 */
export const hostLookup: Effect.Effect<HostLookup> = Effect.map(Effect.makeSemaphore(1), (semaphore) => {
  const query = queryServers([])
  return (name) =>
    Effect.catchAll(query(name), (code) =>
      fallbackCodes.includes(code)
        ? systemLookup(name).pipe(Effect.uninterruptible, semaphore.withPermits(1), Effect.disconnect)
        : unresolved(name, code)
    )
})
