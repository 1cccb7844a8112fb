import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Effect, type Option } from "effect"

/** The key of a stored secret: what it is encrypted for, and the number of the owner's value. */
export interface SecretKey {
  readonly organizationId: string
  readonly owner: string
  readonly purpose: string
  readonly version: number
}

/** A secret that is encrypted under the master key. */
export interface StoredSecret extends SecretKey {
  readonly sealed: Uint8Array
}

/** Stores the identity of the installation, and the secrets of all organizations. */
export class InstallationRepo extends Context.Tag("services/InstallationRepo")<
  InstallationRepo,
  {
    /** The fingerprint of the master key; none before the first start. */
    readonly keyFingerprint: Effect.Effect<Option.Option<string>, ServiceUnavailableError>
    /** Stores the fingerprint unless there is one. Returns the stored one. */
    readonly storeKeyFingerprint: (fingerprint: string) => Effect.Effect<string, ServiceUnavailableError>
    /** Replaces the fingerprint. */
    readonly replaceKeyFingerprint: (fingerprint: string) => Effect.Effect<void, ServiceUnavailableError>
    /** Up to `limit` secrets that do not name the key, in the order of their keys, after `after`. */
    readonly secretsUnderOtherKeys: (
      keyId: Uint8Array,
      after: SecretKey,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredSecret>, ServiceUnavailableError>
    /** Replaces secrets in one transaction, unless they were changed since. Returns the number of replaced ones. */
    readonly replaceSecrets: (
      secrets: ReadonlyArray<StoredSecret & { readonly resealed: Uint8Array }>
    ) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
