import { domainToAscii } from "@switchboard/domain/email/EmailAddress"
import { logThrottled } from "@switchboard/services/LogThrottle"
import { type MtaStsPolicy, MtaStsPolicyRepo } from "@switchboard/services/messages/delivery/MtaStsPolicyRepo"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { DnsResolver } from "@switchboard/services/network/DnsResolver"
import { sharedLookup } from "@switchboard/services/SharedLookup"
import { Data, DateTime, Duration, Effect, Either, Option, type Scope } from "effect"
import { LRUCache } from "lru-cache"
import { guardedDialler } from "../../network/GuardedDialler.js"
import { httpExchange } from "../../network/HttpExchange.js"
import { storableText } from "../../StorableText.js"
import { mtaStsId, parseMtaStsFile } from "./MtaSts.js"

/** The policy of a domain can't be used. */
class UnusablePolicy extends Data.TaggedError("UnusablePolicy")<{ readonly message: string }> {}

/** RFC 8461 section 3.2 leaves the limit of the file to the sender and suggests 64 KiB. In octets. */
const maxFileLength = 64 * 1024

/** A domain is looked up at most once in this time (RFC 8461 section 3.3). */
const lookupInterval = Duration.minutes(5)

/** A policy is fetched again after this time even if its id is the same, so that it is renewed before it expires. */
const refreshInterval = Duration.days(1)

/** The domains in memory. */
const maxDomains = 5_000

/** Finds the policies of recipient domains. */
export interface MtaStsPolicies {
  /** The policy of a domain that holds now, from memory, the database, or fetched; none without a usable policy. */
  readonly find: (domain: string) => Effect.Effect<Option.Option<MtaStsPolicy>>
}

const isValid = (now: DateTime.Utc) => (policy: MtaStsPolicy) => DateTime.greaterThan(policy.expiresAt, now)

/**
 * Policies of recipient domains. `fetchTimeout` includes the look-up of the policy host. A stored policy holds until its `max_age`, also while its DNS record or its file can't be
 * fetched. While the database can't be reached, the policies in memory hold, and others are fetched.
 */
export const mtaStsPolicies = (
  policyPort: number,
  fetchTimeout: Duration.Duration
): Effect.Effect<MtaStsPolicies, never, DestinationGuard | DnsResolver | MtaStsPolicyRepo | Scope.Scope> =>
  Effect.gen(function* () {
    const guard = yield* DestinationGuard
    const dns = yield* DnsResolver
    const repo = yield* MtaStsPolicyRepo
    const dialler = yield* guardedDialler
    const known = new LRUCache<string, MtaStsPolicy>({ max: maxDomains })

    const logOutage = (error: unknown) =>
      logThrottled("MTA-STS policies", Effect.logWarning("MTA-STS policies can't be read or stored", error))

    const stored = (domain: string) =>
      repo.find(domain).pipe(
        Effect.catchAll((error) => Effect.as(logOutage(error), Option.none<MtaStsPolicy>())),
        Effect.map(Option.orElse(() => Option.fromNullable(known.get(domain))))
      )

    const publishedId = (domain: string) =>
      Effect.match(dns.txt(`_mta-sts.${domain}`), { onFailure: () => Option.none<string>(), onSuccess: mtaStsId })

    const fetchFile = Effect.fnUntraced(function* (domain: string) {
      const url = `https://mta-sts.${domain}:${policyPort}/.well-known/mta-sts.txt`
      const [spent, destination] = yield* Effect.timed(guard.checkedDestination(url, fetchTimeout))
      const { head, headers, status } = yield* httpExchange(dialler.poolTo(destination), {
        method: "GET",
        path: destination.url.pathname,
        headers: { "user-agent": "Switchboard/1.0", accept: "text/plain" },
        body: null,
        timeoutMs: Duration.toMillis(Duration.subtract(fetchTimeout, spent)),
        maxStoredBytes: maxFileLength + 1
      })
      // A redirect must not be followed (RFC 8461 section 3.3).
      if (status !== 200)
        return yield* new UnusablePolicy({ message: `The policy host responded with status ${status}` })
      const [type = "none"] = [headers["content-type"]].flat()
      if (!/^text\/plain[ \t]*(;|$)/i.test(type)) {
        const message = `The Content-Type of the policy is ${storableText(type, 100)}, not text/plain`
        return yield* new UnusablePolicy({ message })
      }
      if (head.length > maxFileLength) return yield* new UnusablePolicy({ message: "The policy exceeds 64 KiB" })
      return yield* Either.mapLeft(parseMtaStsFile(head.toString("utf8")), (message) => new UnusablePolicy({ message }))
    })

    const fetchPolicy = Effect.fnUntraced(function* (domain: string, id: string) {
      const fetchedAt = yield* DateTime.now
      const { maxAge, mode, mx } = yield* fetchFile(domain)
      const expiresAt = DateTime.addDuration(fetchedAt, maxAge)
      const policy: MtaStsPolicy = { domain, id, mode, mx, fetchedAt, expiresAt }
      yield* Effect.catchAll(repo.save(policy), logOutage)
      return policy
    })

    const lookup = Effect.fnUntraced(function* (domain: string) {
      const now = yield* DateTime.now
      const present = Option.filter(yield* stored(domain), isValid(now))
      const id = yield* publishedId(domain)
      if (Option.isNone(id)) return present
      const isCurrent = (policy: MtaStsPolicy) =>
        policy.id === id.value && DateTime.greaterThan(DateTime.addDuration(policy.fetchedAt, refreshInterval), now)
      if (Option.exists(present, isCurrent)) return present
      return yield* fetchPolicy(domain, id.value).pipe(
        Effect.map(Option.some),
        Effect.catchAll(({ message }) =>
          Effect.as(
            Effect.logInfo(`The MTA-STS policy can't be used: ${message}`).pipe(Effect.annotateLogs("domain", domain)),
            present
          )
        )
      )
    })

    const policies = yield* sharedLookup({
      capacity: maxDomains,
      timeToLive: lookupInterval,
      lookup: (domain: string) =>
        Effect.tap(lookup(domain), (found) =>
          Effect.sync(() => {
            if (Option.isSome(found)) known.set(domain, found.value)
          })
        ),
      idOf: (domain) => domain
    })

    return {
      find: (domain) =>
        Option.match(domainToAscii(domain), {
          onNone: () => Effect.succeedNone,
          onSome: (name) =>
            Effect.flatMap(DateTime.now, (now) =>
              policies.get(name, (policy) => Option.isNone(policy) || isValid(now)(policy.value))
            )
        })
    }
  })
