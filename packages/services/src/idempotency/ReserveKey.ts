import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Effect, FiberRef } from "effect"
import { currentCreationKey } from "./CreationKey.js"
import { CreationKeyRepo } from "./CreationKeyRepo.js"

/**
 * Stores the idempotency key of the current request with the resource `id`, then runs an effect that cannot be in that
 * transaction. If the effect is refused, the key is removed. After `ServiceUnavailableError` it stays, because the
 * outcome is unknown. Fails with that error if a concurrent request stored the key with another resource.
 */
export const reserveKey = Effect.map(CreationKeyRepo, (repo) => {
  return <A, E, R>(id: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | ServiceUnavailableError, R> =>
    Effect.flatMap(FiberRef.get(currentCreationKey), (key) =>
      key === null
        ? effect
        : Effect.flatMap(repo.store(key, id), (isNew) =>
            isNew
              ? Effect.tapError(effect, (error) =>
                  error instanceof ServiceUnavailableError ? Effect.void : Effect.ignoreLogged(repo.remove(key))
                )
              : effect
          )
    )
})
