import { Context, Data, type Duration, type Effect } from "effect"
import type { NonEmptyReadonlyArray } from "effect/Array"

/** The destination may not be called: it leads, or could lead, to somebody's inside. The message is for its author. */
export class DestinationForbidden extends Data.TaggedError("DestinationForbidden")<{ readonly message: string }> {}

/** The host's name has no address now: because there is none, or because no name server said so. */
export class HostUnresolved extends Data.TaggedError("HostUnresolved")<{
  readonly reason: "NoSuchHost" | "NoAnswer"
  readonly message: string
}> {}

/** An address that may be dialled. */
export interface CheckedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** A URL with all the addresses that its host has now: these are dialled, and no others. */
export interface Destination {
  readonly url: URL
  readonly addresses: NonEmptyReadonlyArray<CheckedAddress>
}

/** Stands before every connection to a host that somebody outside has named. */
export class DestinationGuard extends Context.Tag("services/DestinationGuard")<
  DestinationGuard,
  {
    /** What is known of a URL without asking for its host's addresses: a name is judged at each attempt. */
    readonly checkUrl: (url: string) => Effect.Effect<void, DestinationForbidden>
    /** Checks a URL and each address of its host; a name is looked up for so long at most (10 s). */
    readonly checkedDestination: (
      url: string,
      within?: Duration.Duration
    ) => Effect.Effect<Destination, DestinationForbidden | HostUnresolved>
    /** Looks a host up once, for so long at most (10 s); one forbidden address among its addresses forbids the host. */
    readonly checkedAddresses: (
      host: string,
      within?: Duration.Duration
    ) => Effect.Effect<NonEmptyReadonlyArray<CheckedAddress>, DestinationForbidden | HostUnresolved>
  }
>() {}
