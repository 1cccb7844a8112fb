import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** Stores the identity of the installation. */
export class InstallationRepo extends Context.Tag("services/InstallationRepo")<
  InstallationRepo,
  {
    /**
     * The fingerprint of the master key; none before the first start, and in installations older than the fingerprint.
     */
    readonly keyFingerprint: Effect.Effect<Option.Option<string>, ServiceUnavailableError>
    /** Stores the fingerprint unless there is one. Returns the stored one. */
    readonly storeKeyFingerprint: (fingerprint: string) => Effect.Effect<string, ServiceUnavailableError>
    /** Whether nothing is sent, and the time before which waiting messages end without an attempt. */
    readonly restoration: Effect.Effect<
      { readonly isHeld: boolean; readonly endedBefore: Option.Option<DateTime.Utc> },
      ServiceUnavailableError
    >
    /** Holds a restored copy. */
    readonly hold: Effect.Effect<void, ServiceUnavailableError>
    /** Ends the hold; returns false if there is none. */
    readonly release: (endedBefore: Option.Option<DateTime.Utc>) => Effect.Effect<boolean, ServiceUnavailableError>
    /** One encrypted secret of each kind that exists. */
    readonly sampleSecrets: Effect.Effect<ReadonlyArray<Uint8Array>, ServiceUnavailableError>
  }
>() {}
