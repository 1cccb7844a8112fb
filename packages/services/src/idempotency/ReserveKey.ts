import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Effect, FiberRef } from "effect"
import { currentCreationKey } from "./CreationKey.js"
import { CreationKeyRepo } from "./CreationKeyRepo.js"

/**
 * Stores the idempotency key of the current request with the resource `id`, then runs an effect that cannot be in that
 * transaction. If the effect is refused, the key is removed. It stays after `ServiceUnavailableError`, because the
 * outcome is unknown, and after an error that means that a concurrent request runs the effect, maybe with the same key.
 * Fails with `ServiceUnavailableError` if a concurrent request stored the key with another resource.
 */
export const reserveKey = Effect.map(CreationKeyRepo, (repo) => {
  return <A, E, R>(
    id: string,
    effect: Effect.Effect<A, E, R>,
    isConcurrent: (error: E) => boolean = () => false
  ): Effect.Effect<A, E | ServiceUnavailableError, R> =>
    Effect.flatMap(FiberRef.get(currentCreationKey), (key) =>
      key === null
        ? effect
        : Effect.flatMap(repo.store(key, id), (isNew) =>
            isNew
              ? Effect.tapError(effect, (error) =>
                  error instanceof ServiceUnavailableError || isConcurrent(error)
                    ? Effect.void
                    : Effect.ignoreLogged(repo.remove(key))
                )
              : effect
          )
    )
})
