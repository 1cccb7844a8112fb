import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type DateTime, Effect, Layer, Option } from "effect"

/** Stores which relays replied out of order, for `doctor`. */
export class RelayFaults extends Context.Tag("services/RelayFaults")<
  RelayFaults,
  {
    /** Stores that the relay replied out of order now. */
    readonly record: (relay: string) => Effect.Effect<void, ServiceUnavailableError>
    /** The last time at which the relay replied out of order. */
    readonly find: (relay: string) => Effect.Effect<Option.Option<DateTime.Utc>, ServiceUnavailableError>
  }
>() {
  /** Stores nothing. */
  static readonly Unrecorded = Layer.succeed(RelayFaults, {
    record: () => Effect.void,
    find: () => Effect.succeed(Option.none())
  })
}
