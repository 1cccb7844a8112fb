import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Duration, type Effect, type Option } from "effect"
import type { CreationKey } from "./CreationKey.js"

/** A stored key with its resource. */
export interface StoredKey extends Pick<CreationKey, "fingerprint"> {
  readonly resourceId: string
}

/**
 * The idempotency keys of requests that create a resource. The repository of the resource stores the key in its own
 * transaction (`currentCreationKey`).
 */
export class CreationKeyRepo extends Context.Tag("services/CreationKeyRepo")<
  CreationKeyRepo,
  {
    /** The key, if an earlier request stored it. */
    readonly find: (key: CreationKey) => Effect.Effect<Option.Option<StoredKey>, ServiceUnavailableError>
    /**
     * Stores a key with a resource. Returns false if it is stored with that resource already. Fails if it is stored
     * with another request or resource.
     */
    readonly store: (key: CreationKey, resourceId: string) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Deletes a key. */
    readonly remove: (key: CreationKey) => Effect.Effect<void, ServiceUnavailableError>
    /** Deletes keys older than `retention`, in batches. Returns their number. */
    readonly deleteExpired: (retention: Duration.Duration) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
