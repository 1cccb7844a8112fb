import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { QueueDepth } from "@switchboard/domain/system/SystemStatus"
import { Context, type DateTime, type Duration, type Effect, type Stream } from "effect"

/** Queue statistics for operators. */
export class QueueDepths extends Context.Tag("services/QueueDepths")<
  QueueDepths,
  {
    /** The depth of every queue. */
    readonly all: Effect.Effect<ReadonlyArray<QueueDepth>, ServiceUnavailableError>
    /** The number of domains whose mail is paused. */
    readonly pausedDomains: Effect.Effect<number, ServiceUnavailableError>
    /** The number of received mails since `since` that could not be parsed. */
    readonly unparsedMails: (since: DateTime.Utc) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}

/** The key of an entry, in any queue. */
export interface EntryKey {
  readonly organizationId: OrganizationId
  readonly id: string
}

/** The earlier leases of an entry. */
export interface LeaseHistory {
  /** The number of leases that expired without an outcome after their attempt had begun. An outcome resets it. */
  readonly leaseExpiries: number
  /** Whether the outcome of the previous attempt is unknown: the next attempt may repeat it. */
  readonly isRepeat: boolean
}

/** From this number of expired leases on, an entry is attempted without others, so that only it can cause a crash. */
export const suspectAfter = 2

/**
 * At this number of expired leases an entry fails; all but the first two happened while it was attempted without
 * others. A crash caused by the entry can't be distinguished from a worker killed at the same moment for another
 * reason. If many workers are killed, several such expiries in a row are likely, but not this many.
 */
export const maxLeaseExpiries = 20

/** A request to lease entries for a worker. */
export interface LeaseRequest<Owner extends string = string> {
  /** The name of the worker, unique to a process and its start. */
  readonly worker: string
  readonly lease: Duration.Duration
  readonly limit: number
  /** The maximum number of entries of one owner in this lease. */
  readonly perOwner: number
  /** Owners that are paused, or have as many leased entries as the worker allows: their entries are skipped. */
  readonly skipped: ReadonlyArray<Owner>
  /** Ids of entries that the worker still attempts, or has an outcome for, although their leases may have expired. */
  readonly except: ReadonlyArray<string>
}

/**
 * Leases of a queue's entries. The holder of an expired lease may still change the entry until another worker leases
 * it.
 */
export interface Leases {
  /**
   * Marks entries as begun and extends their leases to at least half of `lease`. Returns the ids that are still held.
   */
  readonly begin: (
    worker: string,
    entries: ReadonlyArray<EntryKey>,
    lease: Duration.Duration
  ) => Effect.Effect<ReadonlySet<string>, ServiceUnavailableError>
  /** Extends leases. Returns the ids that are still held. */
  readonly renew: (
    worker: string,
    entries: ReadonlyArray<EntryKey>,
    lease: Duration.Duration
  ) => Effect.Effect<ReadonlySet<string>, ServiceUnavailableError>
  /** Returns entries to the queue without counting an attempt. Begun entries are flagged as repeats. */
  readonly release: (worker: string, entries: ReadonlyArray<EntryKey>) => Effect.Effect<void, ServiceUnavailableError>
  /** Decrements the count of expired leases of entries held by a live worker. */
  readonly forgive: (entries: ReadonlyArray<EntryKey>) => Effect.Effect<void, ServiceUnavailableError>
  /** Makes entries with expired leases ready, and counts the expiry if an attempt had begun. Returns their number. */
  readonly recover: Effect.Effect<number, ServiceUnavailableError>
  /** Makes waiting entries ready that are due. Returns their number. */
  readonly promote: Effect.Effect<number, ServiceUnavailableError>
  /** Waits until a waiting entry may be due. */
  readonly awaitDue: Effect.Effect<void>
  /** Emits when entries may have become ready: their owner, or null if they may have several. Never ends; reconnects. */
  readonly woken: Stream.Stream<string | null>
}

/**
 * A durable queue. An entry is leased to one worker by the database's clock, begun, and settled. An expired lease makes
 * it ready again. A settled entry is deleted or waits for its next attempt. Every method is one transaction.
 */
export interface WorkQueue<Item, Done, Request extends LeaseRequest = LeaseRequest> extends Leases {
  /** Leases ready entries, oldest first within an owner, in turns between owners. */
  readonly take: (request: Request) => Effect.Effect<ReadonlyArray<Item>, ServiceUnavailableError>
  /** Stores the outcomes of entries that this worker still holds, and skips the others. */
  readonly settle: (worker: string, done: ReadonlyArray<Done>) => Effect.Effect<void, ServiceUnavailableError>
}
