import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Effect, type Option } from "effect"

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
    /** Replaces the fingerprint. */
    readonly replaceKeyFingerprint: (fingerprint: string) => Effect.Effect<void, ServiceUnavailableError>
    /** One encrypted secret of each kind that exists. */
    readonly sampleSecrets: Effect.Effect<ReadonlyArray<Uint8Array>, ServiceUnavailableError>
  }
>() {}
