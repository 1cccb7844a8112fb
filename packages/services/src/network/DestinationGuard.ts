import { Context, Data, type Duration, type Effect } from "effect"
import type { NonEmptyReadonlyArray } from "effect/Array"

/**
 * The destination is forbidden: it is, or may resolve to, a private address. The message is for the owner of the URL.
 */
export class DestinationForbidden extends Data.TaggedError("DestinationForbidden")<{ readonly message: string }> {}

/** The host name has no address (`NoSuchHost`), or no name server responded (`NoAnswer`). */
export class HostUnresolved extends Data.TaggedError("HostUnresolved")<{
  readonly reason: "NoSuchHost" | "NoAnswer"
  readonly message: string
}> {}

/** An address that connections may use. */
export interface CheckedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** A URL with the checked addresses of its host. Connections use only these. */
export interface Destination {
  readonly url: URL
  readonly addresses: NonEmptyReadonlyArray<CheckedAddress>
}

/** Checks the hosts of user-supplied URLs before every connection (SSRF protection). */
export class DestinationGuard extends Context.Tag("services/DestinationGuard")<
  DestinationGuard,
  {
    /** Checks a URL without resolving its host. Host names are checked at each attempt. */
    readonly checkUrl: (url: string) => Effect.Effect<void, DestinationForbidden>
    /** Checks a URL and every address of its host. The look-up may take `within` (10 s by default). */
    readonly checkedDestination: (
      url: string,
      within?: Duration.Duration
    ) => Effect.Effect<Destination, DestinationForbidden | HostUnresolved>
    /** Resolves a host once, within `within` (10 s by default). One forbidden address forbids the host. */
    readonly checkedAddresses: (
      host: string,
      within?: Duration.Duration
    ) => Effect.Effect<NonEmptyReadonlyArray<CheckedAddress>, DestinationForbidden | HostUnresolved>
  }
>() {}
