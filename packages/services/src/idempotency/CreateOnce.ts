import { ConflictError, ResourceNotFoundError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Data, Effect, Either, FiberRef, Option } from "effect"
import { type CreationKey, currentCreationKey } from "./CreationKey.js"
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

/** The earlier request with the key has no result: it failed, or its process crashed. */
export class NotCreated extends Data.TaggedError("NotCreated") {}

const keyReused = new ConflictError({
  message: "The idempotency key was used before with a different request",
  resource: "idempotencyKey"
})

const isNotFound = <E>(error: E): error is Extract<E, ResourceNotFoundError> => error instanceof ResourceNotFoundError
const isNotCreated = <E>(error: E): error is Extract<E, NotCreated> => error instanceof NotCreated

const deleted = ({ resource }: ResourceNotFoundError) =>
  new ConflictError({ message: "The idempotency key belongs to a resource that was deleted", resource })

/**
 * Creates a resource once for an idempotency key. A repeated request gets the resource of the first one, as `original`
 * reads it by its id. If `create` fails, a concurrent request with the key may have succeeded: then its resource is the
 * result.
 */
export const createOnce = Effect.map(
  CreationKeyRepo,
  (repo) =>
    <A, E, R, E2, R2>(
      key: CreationKey,
      create: Effect.Effect<A, E, R>,
      original: (id: string) => Effect.Effect<A, E2, R2>
    ) =>
      Effect.gen(function* () {
        const replay = Effect.gen(function* () {
          const stored = yield* repo.find(key)
          if (Option.isNone(stored)) return Option.none<A>()
          if (stored.value.fingerprint !== key.fingerprint) return yield* keyReused
          return yield* original(stored.value.resourceId).pipe(
            Effect.map(Option.some),
            Effect.catchIf(isNotFound<E2>, deleted),
            Effect.catchIf(isNotCreated, () => Effect.succeed(Option.none<A>()))
          )
        })
        const earlier = yield* replay
        if (Option.isSome(earlier)) return { resource: earlier.value, replayed: true }
        const created = yield* Effect.either(Effect.locally(create, currentCreationKey, key))
        if (Either.isRight(created)) return { resource: created.right, replayed: false }
        const concurrent = yield* replay
        return Option.isSome(concurrent)
          ? { resource: concurrent.value, replayed: true }
          : yield* Effect.fail(created.left)
      })
)
