import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Duration, Effect, Stream } from "effect"

/** The key of an entry, in any queue. */
export interface EntryKey {
  readonly organizationId: OrganizationId
  readonly id: string
}

/** What is known of the earlier leases of an entry. */
export interface LeaseHistory {
  /** How many leases ended without an outcome after their attempt had begun. An outcome resets it. */
  readonly takeovers: number
  /** Whether the outcome of the previous attempt is unknown: the next attempt may repeat it. */
  readonly isRepeat: boolean
}

/** From this many takeovers on an entry is attempted alone, so that a loss can only be its own. */
export const suspectAfter = 2

/**
 * At this many takeovers, all but the first two while attempted alone, an entry is given up. An entry that ends its
 * workers can't be told from one whose workers are ended by something else at the same moment. Several such losses in
 * a row are likely where many workers are killed, but not as many as these.
 */
export const maxTakeovers = 20

/** Which entries are leased, and to which worker. */
export interface LeaseRequest<Owner extends string = string> {
  /** The holder of the leases: another name for every process and start. */
  readonly worker: string
  readonly lease: Duration.Duration
  readonly limit: number
  readonly perOwner: number
  /** Owners that the worker already holds enough of. */
  readonly saturated: ReadonlyArray<Owner>
  /** Ids of entries that the worker still attempts, or has an outcome for, although their leases may have run out. */
  readonly except: ReadonlyArray<string>
}

/** What the loop of a worker does with leases. Until another worker leases an entry, its last holder may change it. */
export interface Leases {
  /** Marks entries as begun and keeps their leases for half of `lease` at least; the ids of those that are still held. */
  readonly begin: (
    worker: string,
    entries: ReadonlyArray<EntryKey>,
    lease: Duration.Duration
  ) => Effect.Effect<ReadonlySet<string>, ServiceUnavailableError>
  /** Extends leases; the ids of those that are still held. */
  readonly renew: (
    worker: string,
    entries: ReadonlyArray<EntryKey>,
    lease: Duration.Duration
  ) => Effect.Effect<ReadonlySet<string>, ServiceUnavailableError>
  /** Makes entries ready that their holder does not go on with. Counts nothing; those that had begun are repeated. */
  readonly release: (worker: string, entries: ReadonlyArray<EntryKey>) => Effect.Effect<void, ServiceUnavailableError>
  /** Takes back one takeover of each: their worker lives. */
  readonly forgive: (entries: ReadonlyArray<EntryKey>) => Effect.Effect<void, ServiceUnavailableError>
  /** Makes entries ready whose leases ran out, and counts a takeover of those that had begun; how many entries that was. */
  readonly recover: Effect.Effect<number, ServiceUnavailableError>
  /** Makes entries ready whose time has come; how many that was. */
  readonly promote: Effect.Effect<number, ServiceUnavailableError>
  /** Emits when entries may have become ready. Never ends; reconnects. */
  readonly woken: Stream.Stream<void>
}

/**
 * A durable queue. An entry is leased to one worker by the database's clock, begun, and settled; a lease that runs out
 * makes it ready again. A settled entry leaves, or waits for its next time. Every method is one transaction.
 */
export interface WorkQueue<Item, Done, Request extends LeaseRequest = LeaseRequest> extends Leases {
  /** Leases what is ready, the oldest first within an owner and one owner after the other. */
  readonly take: (request: Request) => Effect.Effect<ReadonlyArray<Item>, ServiceUnavailableError>
  /** Stores the outcomes of what this worker still holds. The others are passed over. */
  readonly settle: (worker: string, done: ReadonlyArray<Done>) => Effect.Effect<void, ServiceUnavailableError>
}
