import { type ApiKeyId, type ApiKeyIdentity, apiKeyPattern } from "@switchboard/domain/apiKeys/ApiKey"
import { ResourceNotFoundError, type ServiceUnavailableError, UnauthorizedError } from "@switchboard/domain/Errors"
import { DateTime, Effect, Option, Redacted, Schedule } from "effect"
import { sharedLookup } from "../SharedLookup.js"
import { ApiKeyRepo } from "./ApiKeyRepo.js"
import { type ApiKeyInput, apiKeyEvents, hashOf, newApiKey } from "./NewApiKey.js"

const unauthorized = new UnauthorizedError({ message: "The API key is missing or invalid" })

/** The capacity of the key cache, and the time to live of an entry. */
const capacity = 10_000
const timeToLive = "500 millis"

/** The maximum delay of `lastUsedAt`. */
const touchEvery = "20 seconds"

/** Authenticates programs by their API keys. */
export class ApiKeys extends Effect.Service<ApiKeys>()("services/ApiKeys", {
  scoped: Effect.gen(function* () {
    const repo = yield* ApiKeyRepo
    let used = new Map<ApiKeyId, number>()

    // A removed key stops working within a second in every process, since the cache lives shorter than that.
    const active = yield* sharedLookup({
      capacity,
      timeToLive,
      lookup: (hash: string) => repo.findActive(hash),
      idOf: (hash) => hash
    })

    const flushUsed = Effect.suspend(() => {
      const uses = used
      used = new Map()
      return uses.size === 0
        ? Effect.void
        : repo.touch([...uses].map(([id, at]) => ({ id, at: DateTime.unsafeMake(at) })))
    }).pipe(Effect.catchAll((error) => Effect.logDebug("lastUsedAt was not written", error)))
    yield* Effect.addFinalizer(() => flushUsed)
    yield* Effect.forkScoped(Effect.repeat(flushUsed, Schedule.spaced(touchEvery)))

    /** The identity of the key with this SHA-256 (hex). Every kind of invalid key fails with the same error. */
    const identify = (hash: string): Effect.Effect<ApiKeyIdentity, UnauthorizedError | ServiceUnavailableError> =>
      Effect.flatMap(active.get(hash), (found) => {
        if (Option.isNone(found)) return unauthorized
        return Effect.clockWith((clock) => {
          used.set(found.value.id, clock.unsafeCurrentTimeMillis())
          return Effect.succeed(found.value)
        })
      })

    /** The identity of a key. */
    const authenticate = (key: Redacted.Redacted<string>) =>
      apiKeyPattern.test(Redacted.value(key)) ? identify(hashOf(key)) : Effect.fail(unauthorized)

    /** Creates a key. Its complete value is in this response only. */
    const create = Effect.fn("ApiKeys.create")(function* (input: ApiKeyInput) {
      const { apiKey, hash, key } = yield* newApiKey(input)
      yield* repo.insert({ apiKey, hash }, yield* apiKeyEvents("api_key.created", apiKey))
      return { apiKey, key } as const
    })

    /** Removes a key of any organization. */
    const revoke = Effect.fn("ApiKeys.revoke")(function* (id: ApiKeyId) {
      const existed = yield* repo.revoke(id, (apiKey) => apiKeyEvents("api_key.deleted", apiKey))
      if (!existed) return yield* new ResourceNotFoundError({ resource: "apiKey", id })
    })

    return { authenticate, identify, create, list: repo.listAll, revoke } as const
  })
}) {}
