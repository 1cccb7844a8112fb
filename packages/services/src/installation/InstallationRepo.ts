import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Effect, type Option } from "effect"

/** What is known of the installation as a whole. */
export class InstallationRepo extends Context.Tag("services/InstallationRepo")<
  InstallationRepo,
  {
    /** By what its master key is known; none before its first start, and in one that a release of before has made. */
    readonly keyMark: Effect.Effect<Option.Option<string>, ServiceUnavailableError>
    /** Keeps that, unless there is one already: the one that is kept. */
    readonly keepKeyMark: (mark: string) => Effect.Effect<string, ServiceUnavailableError>
    /** A sealed secret of each kind of which there is one. */
    readonly someSecrets: Effect.Effect<ReadonlyArray<Uint8Array>, ServiceUnavailableError>
  }
>() {}
