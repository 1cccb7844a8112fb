import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EntryKey, LeaseHistory, LeaseRequest, Leases } from "@switchboard/services/queues/WorkQueue"
import type { Duration, Effect } from "effect"
import type { ItemWeight } from "./HeldEntries.js"

/** The use of a queue: how its entries are taken, attempted and settled. An entry that was taken is settled, or its lease ends. */
export interface QueueWork<Owner extends string, Item extends LeaseHistory, Done> {
  /** Names the loop in logs. */
  readonly name: string
  readonly queue: Leases
  readonly ownerOf: (item: Item) => Owner
  readonly keyOf: (item: Item) => EntryKey
  /** Leases ready entries: no more than there is `room` for, but one always. Without any room, those that weigh nothing. */
  readonly take: (
    request: LeaseRequest<Owner> & { readonly room: number }
  ) => Effect.Effect<ReadonlyArray<Item>, ServiceUnavailableError>
  /** Without it nothing weighs anything. Items without weight may be taken even while there is no room. */
  readonly weight?: ItemWeight<Item> & { readonly someWeighNothing?: boolean }
  /** How many may be taken now; waits while there is none to be taken. */
  readonly admission: Effect.Effect<number>
  /** Does the work. Never fails: a failure is an outcome. */
  readonly attempt: (item: Item) => Effect.Effect<Done>
  /** Ends an item whose attempts have ended too many workers. */
  readonly giveUp: (item: Item) => Effect.Effect<Done>
  /** The outcome of an item that was not begun and goes back to its queue; left out where its entry says it all. */
  readonly handBack?: (item: Item) => Effect.Effect<Done>
  /** What is stored instead of an outcome that the database refuses: as much of it as can surely be stored. */
  readonly replace: (item: Item, refused: Done) => Effect.Effect<Done>
  readonly settle: (done: ReadonlyArray<Done>) => Effect.Effect<void, ServiceUnavailableError>
  /** How often entries whose time has come are made ready, if not twice a second. */
  readonly promoteEvery?: Duration.DurationInput
}

export interface WorkLoopOptions {
  /** The holder of the leases: another name for every process and start. */
  readonly worker: string
  /** Attempts at a time. */
  readonly concurrency: number
  /** Items taken, and settled, in one transaction at most. */
  readonly batch: number
  /** The longest time between two takes while no notification comes. */
  readonly idle: Duration.Duration
  readonly lease: Duration.Duration
  /** How long a stopping loop waits for the attempts under way. */
  readonly grace: Duration.Duration
  /** How many of the places one owner may take, if not four fifths of them. */
  readonly ownerShare?: number
}
