import { type ApiKeyId, type ApiKeyIdentity, apiKeyPattern } from "@switchboard/domain/apiKeys/ApiKey"
import { ResourceNotFoundError, type ServiceUnavailableError, UnauthorizedError } from "@switchboard/domain/Errors"
import { Cache, DateTime, Effect, HashMap, type Option, Redacted, Ref, Schedule } from "effect"
import { apiKeyEvents } from "./ApiKeyEvents.js"
import { ApiKeyRepo } from "./ApiKeyRepo.js"
import { type ApiKeyInput, hashOf, newApiKey } from "./NewApiKey.js"

const unauthorized = new UnauthorizedError({ message: "The API key is missing or invalid" })

/** How late `lastUsedAt` may be. */
const touchEvery = "20 seconds"

/** The keys by which programs authenticate. */
export class ApiKeys extends Effect.Service<ApiKeys>()("services/ApiKeys", {
  scoped: Effect.gen(function* () {
    const repo = yield* ApiKeyRepo
    const used = yield* Ref.make(HashMap.empty<ApiKeyId, DateTime.Utc>())

    // A removed key must stop within a second on every process: nobody tells the others, the cache just forgets.
    const active = yield* Cache.make({
      capacity: 10_000,
      timeToLive: "500 millis",
      lookup: (hash: string): Effect.Effect<Option.Option<ApiKeyIdentity>, ServiceUnavailableError> =>
        repo.findActive(hash)
    })

    const flushUsed = Effect.flatMap(Ref.getAndSet(used, HashMap.empty()), (uses) =>
      HashMap.isEmpty(uses) ? Effect.void : repo.touch(HashMap.toEntries(uses).map(([id, at]) => ({ id, at })))
    ).pipe(Effect.catchAll((error) => Effect.logDebug("lastUsedAt was not written", error)))
    yield* Effect.addFinalizer(() => flushUsed)
    yield* Effect.forkScoped(Effect.repeat(flushUsed, Schedule.spaced(touchEvery)))

    /** Who the key with this SHA-256 (hex) speaks for. Whatever is wrong with a key, the answer is the same. */
    const identify = Effect.fnUntraced(function* (hash: string) {
      const identity = yield* Effect.flatten(active.get(hash)).pipe(
        Effect.catchTag("NoSuchElementException", () => unauthorized)
      )
      const now = yield* DateTime.now
      yield* Ref.update(used, HashMap.set(identity.id, now))
      return identity
    })

    /** Who this key speaks for. */
    const authenticate = (key: Redacted.Redacted<string>) =>
      apiKeyPattern.test(Redacted.value(key)) ? identify(hashOf(key)) : Effect.fail(unauthorized)

    /** Makes a key; its whole value is in this answer alone. */
    const create = Effect.fn("ApiKeys.create")(function* (input: ApiKeyInput) {
      const { apiKey, hash, key } = yield* newApiKey(input)
      yield* repo.insert({ apiKey, hash }, yield* apiKeyEvents("api_key.created", apiKey))
      return { apiKey, key } as const
    })

    /** Stops a key for good, whosesoever it is. */
    const revoke = Effect.fn("ApiKeys.revoke")(function* (id: ApiKeyId) {
      const existed = yield* repo.revoke(id, (apiKey) => apiKeyEvents("api_key.deleted", apiKey))
      if (!existed) return yield* new ResourceNotFoundError({ resource: "apiKey", id })
    })

    return { authenticate, identify, create, list: repo.listAll, revoke } as const
  })
}) {}
