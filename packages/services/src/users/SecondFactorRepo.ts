import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Effect, type Option } from "effect"
import type { StoredUser } from "./UserRepo.js"

/** The purpose of the encryption of a secret. Its owner is the user. */
export const totpPurpose = "user-totp"

/** The second factor of a user as stored. */
export interface StoredFactor {
  /** The encrypted secret. */
  readonly sealed: Uint8Array
  /** The newest time step whose code was used; none before the confirmation. */
  readonly lastStep: Option.Option<number>
  /** The SHA-256 (hex) of the unused recovery codes. */
  readonly recoveryHashes: ReadonlyArray<string>
}

/** The state of a second factor after a code was used. */
export interface UsedFactor {
  readonly lastStep: number
  readonly recoveryHashes: ReadonlyArray<string>
}

/** The result of a change to a second factor. */
export interface ChangedFactor {
  /** The factor after the change; none removes it. */
  readonly factor: Option.Option<UsedFactor>
  /** The hash of the session that stays, if all other sessions of the user end. */
  readonly onlySession: Option.Option<string>
}

/** Stores the second factors of users. */
export class SecondFactorRepo extends Context.Tag("services/SecondFactorRepo")<
  SecondFactorRepo,
  {
    /** Stores a secret that is not confirmed, in place of another such one. False if the user has a confirmed one. */
    readonly begin: (user: StoredUser, sealed: Uint8Array) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Locks the second factor of a user, calls `decide`, and stores the result in one transaction, so that of several
     * concurrent uses of a code only one succeeds. False if nothing changes.
     */
    readonly change: <E>(
      user: StoredUser,
      decide: (factor: Option.Option<StoredFactor>) => Effect.Effect<Option.Option<ChangedFactor>, E>
    ) => Effect.Effect<boolean, E | ServiceUnavailableError>
  }
>() {}
