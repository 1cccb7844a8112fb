import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { QueuePause } from "@switchboard/services/queues/Pauses"
import type { EntryKey, LeaseHistory, LeaseRequest, Leases } from "@switchboard/services/queues/WorkQueue"
import { Context, type Duration, type Effect } from "effect"

/** The weight of an item, and the maximum total weight to hold. */
export interface ItemWeight<Item> {
  readonly of: (item: Item) => number
  readonly max: number
}

/**
 * How a loop uses a queue: how its entries are taken, attempted and settled. Every entry is settled, or its lease
 * expires.
 */
export interface QueueWork<Owner extends string, Item extends LeaseHistory, Done> {
  /** The name of the loop in logs. */
  readonly name: string
  readonly queue: Leases
  readonly pause: QueuePause<Owner>
  readonly ownerOf: (item: Item) => Owner
  /** The domain of a mail's sender, which can be paused. Absent: items have none. */
  readonly domainOf?: (item: Item) => string | undefined
  readonly keyOf: (item: Item) => EntryKey
  /** Leases ready entries up to a total weight of `capacity`, but at least one. Without capacity, only weightless ones. */
  readonly take: (
    request: LeaseRequest<Owner> & { readonly capacity: number }
  ) => Effect.Effect<ReadonlyArray<Item>, ServiceUnavailableError>
  /** Undefined: no limit by weight. `hasWeightless`: weightless items are taken even without capacity. */
  readonly weight?: ItemWeight<Item> & { readonly hasWeightless?: boolean }
  /** The number of items that may be taken now; waits until there is at least one. */
  readonly admission: Effect.Effect<number>
  /**
   * Attempts an item. Never fails: a failure is an outcome. `isHeld` returns whether the lease certainly still holds.
   */
  readonly attempt: (item: Item, isHeld: () => boolean) => Effect.Effect<Done>
  /** Stores that the worker attempts items, which it has held for `progressDelay`. Absent: the queue shows no progress. */
  readonly storeProgress?: (items: ReadonlyArray<Item>) => Effect.Effect<void, ServiceUnavailableError>
  /** Ends an item with too many expired leases. */
  readonly giveUp: (item: Item) => Effect.Effect<Done>
  /** The outcome of a released item that was not begun. Undefined if the queue's `release` is sufficient. */
  readonly releaseUnbegun?: (item: Item) => Effect.Effect<Done>
  /** The outcome to store in place of one that the database rejected: the part that can be stored. */
  readonly replace: (item: Item, refused: Done) => Effect.Effect<Done>
  readonly settle: (done: ReadonlyArray<Done>) => Effect.Effect<void, ServiceUnavailableError>
}

/** How long an item is held before its progress is stored. Most attempts are shorter, and are stored once. */
export const progressDelay = "500 millis"

export interface WorkLoopOptions {
  /** The name of the lease holder, unique to a process and its start. */
  readonly worker: string
  /** The maximum number of concurrent attempts. */
  readonly concurrency: number
  /** The maximum number of items taken, or settled, in one transaction. */
  readonly batch: number
  /** The maximum time between two takes without a notification. */
  readonly idle: Duration.Duration
  readonly lease: Duration.Duration
  /** How long a stopping loop waits for running attempts. */
  readonly grace: Duration.Duration
  /** The maximum number of concurrent attempts for one owner. Default: 80 % of `concurrency`. */
  readonly ownerShare?: number
}

/**
 * The options of this process's loops: `WORKER_CONCURRENCY`, `LEASE_DURATION`, `SHUTDOWN_GRACE`, and the worker's name.
 */
export class WorkerConfig extends Context.Tag("worker/WorkerConfig")<WorkerConfig, WorkLoopOptions>() {}
