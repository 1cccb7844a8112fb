import { type Duration, Effect } from "effect"
import type { FairBuffer } from "./FairBuffer.js"
import type { HeldEntries } from "./HeldEntries.js"
import { makeSignal } from "./Signal.js"

/** What a take of a queue found. */
interface Taken<Owner> {
  /** The owner of each taken entry. */
  readonly owners: ReadonlyArray<Owner>
  /** Whether the take was limited by its number of entries. */
  readonly isLimited: boolean
  /** The capacity by weight that the take had. */
  readonly capacity: number
}

/**
 * Decides when a loop takes its next batch: after new entries of an owner without enough buffered ones, before the
 * buffer is empty, and when capacity is freed.
 */
export const makeTakeDemand = <Owner extends string, Item, Entry>(
  batch: number,
  buffer: FairBuffer<Owner, Entry>,
  held: HeldEntries<Item>
) =>
  Effect.gen(function* () {
    /** An owner with this many buffered entries needs no more now. */
    const enough = Math.ceil(batch / 2)
    const wake = yield* makeSignal
    const capacityFreed = yield* makeSignal
    /** Whether the last take may have left ready entries: of any owner, or of the owners excluded as saturated. */
    let mayBeMore = true
    let limited: ReadonlySet<Owner> = new Set()
    /** Whether the last take left entries for lack of capacity. */
    let isFull = false
    /** Whether a take is running or requested. */
    let isTakeDue = false
    /** The owners with new entries since the take was sent; null: any owner. */
    const notifiedOwners = new Set<string | null>()

    const saturated = () => buffer.saturated(enough)

    /** Allows the next take after new entries, unless all are of an owner with enough buffered ones. */
    const allowTake = (owner: string | null) => {
      const full = saturated().find((one) => one === owner)
      if (full === undefined) wake.send()
      else limited = new Set([...limited, full])
    }

    return {
      /** Requests a take. */
      request: wake.send,

      /** Receives the owner of new entries. During a take it is decided when the buffer has its entries. */
      notified: (owner: string | null): void => {
        if (isTakeDue) notifiedOwners.add(owner)
        else allowTake(owner)
      },

      /** Requests a take if it could return entries that the buffer can use: not known while one is running. */
      requestMore: (): void => {
        const canUse = !isTakeDue && buffer.ready() < batch / 2
        if (!canUse || !(mayBeMore || [...limited].some((owner) => buffer.size(owner) < enough))) return
        isTakeDue = true
        wake.send()
      },

      /** Allows the next take of entries that were left in the queue for lack of capacity. */
      capacityFreed: (): void => {
        wake.send()
        capacityFreed.send()
      },

      /** Runs a take from its preparation until the buffer has its entries. */
      during: <A, E>(take: Effect.Effect<A, E>): Effect.Effect<A, E> =>
        Effect.suspend(() => {
          isTakeDue = true
          return take
        }).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              isTakeDue = false
              notifiedOwners.forEach(allowTake)
              notifiedOwners.clear()
            })
          )
        ),

      /** Called when the take is sent, which finds the entries notified before. Returns the owners to skip. */
      sent: (): ReadonlyArray<Owner> => {
        notifiedOwners.clear()
        return saturated()
      },

      /** Called when the buffer has the entries of a take that skipped these owners. */
      taken: (skipped: ReadonlyArray<Owner>, { capacity, isLimited, owners }: Taken<Owner>): void => {
        // A take has a share for each owner with ready entries: if all of a full one have enough, no other owner is left.
        limited = new Set(isLimited ? [...skipped, ...saturated()] : skipped)
        mayBeMore = isLimited && !owners.every((owner) => limited.has(owner))
        isFull = capacity <= 0 && !isLimited
      },

      /**
       * Waits for a request. A take without capacity takes weightless entries and releases others, which wakes all
       * workers: after one, only freed capacity ends the wait.
       */
      await: (idle: Duration.Duration) =>
        Effect.suspend(() => (isFull && held.capacity() <= 0 ? capacityFreed : wake).wait).pipe(
          Effect.timeoutOption(idle)
        )
    }
  })
