import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { LeaseHistory } from "@switchboard/services/queues/WorkQueue"
import { Cause, Clock, Effect } from "effect"
import type { HeldEntry } from "./HeldEntries.js"
import type { QueueWork } from "./QueueWork.js"
import { retrySchedule } from "./ScheduledJobs.js"
import { awaitBatch, makeSignal } from "./Signal.js"

/** The wait before an outcome is stored again that the database rejected in every form. */
const rejectedWait = "30 seconds"

/** An outcome that is not stored yet. */
interface Outcome<Item, Done> {
  readonly entry: HeldEntry<Item>
  readonly done: Done
  readonly isReplaced: boolean
}

interface Loop<Item> {
  /** The maximum number of outcomes stored in one transaction. */
  readonly batch: number
  /** Whether no attempt is running: then waiting for more outcomes is pointless. */
  readonly isIdle: () => boolean
  /** A stopping loop tries once: an entry whose outcome is not stored is attempted again after its lease expires. */
  readonly isStopping: () => boolean
  /** Extends the leases of entries. */
  readonly renew: (entries: ReadonlyArray<HeldEntry<Item>>) => Effect.Effect<void, ServiceUnavailableError>
  /** Removes entries whose outcomes are stored. */
  readonly remove: (entries: ReadonlyArray<HeldEntry<Item>>) => void
}

/** The outcomes of ended attempts. They are stored in batches, and retried until they are stored or the loop stops. */
export const makeOutcomes = <Owner extends string, Item extends LeaseHistory, Done>(
  work: QueueWork<Owner, Item, Done>,
  { batch, isIdle, isStopping, remove, renew }: Loop<Item>
) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const outcomes: Array<Outcome<Item, Done>> = []
    const offered = yield* makeSignal
    const awaitOutcomes = awaitBatch(offered, () => outcomes.length >= batch / 2 || isIdle())

    const push = (outcome: Outcome<Item, Done>): void => {
      outcomes.push(outcome)
      offered.send()
    }

    /** Replaces an outcome that the database rejected. If the replacement is rejected too, it is retried later. */
    const replace = Effect.fnUntraced(function* (outcome: Outcome<Item, Done>, defect: unknown) {
      const { done, entry, isReplaced } = outcome
      yield* Effect.logError(`${work.name}: the database rejected an outcome`, Cause.die(defect)).pipe(
        Effect.annotateLogs({ organizationId: entry.key.organizationId, entryId: entry.key.id })
      )
      if (isReplaced) {
        const retried = Effect.sync(() => push(outcome))
        yield* Effect.forkIn(Effect.delay(retried, rejectedWait), scope)
      } else {
        yield* persist([{ entry, done: yield* work.replace(entry.item, done), isReplaced: true }])
      }
    })

    /** Stores outcomes in one statement, or one by one if the database rejects the batch. */
    const persist = (some: ReadonlyArray<Outcome<Item, Done>>): Effect.Effect<void, ServiceUnavailableError> => {
      const entries = some.map(({ entry }) => entry)
      return Clock.currentTimeNanos.pipe(
        // Renews expired leases, unless another worker has the entry.
        Effect.flatMap((now) => renew(entries.filter(({ until }) => until <= now))),
        Effect.zipRight(Effect.suspend(() => work.settle(some.map(({ done }) => done)))),
        Effect.tapError(() => Effect.logWarning(`${work.name}: outcomes can't be stored yet`)),
        Effect.retry({ schedule: retrySchedule, while: () => !isStopping() }),
        Effect.zipRight(Effect.sync(() => remove(entries))),
        Effect.catchAllDefect((defect) =>
          Effect.forEach(some, (one) => (some.length > 1 ? persist([one]) : replace(one, defect)), { discard: true })
        )
      )
    }

    const store = (count: number) =>
      Effect.suspend(() => {
        const some = outcomes.splice(0, count)
        return some.length === 0 ? Effect.void : persist(some)
      })

    return {
      offer: (entry: HeldEntry<Item>, done: Done): void => push({ entry, done, isReplaced: false }),

      /**
       * Waits for outcomes and stores a batch. Interruptible only while it waits: outcomes that were removed from the
       * list are always stored.
       */
      settleRound: Effect.uninterruptibleMask((restore) =>
        restore(awaitOutcomes).pipe(
          Effect.zipRight(store(batch)),
          Effect.tap(() => Effect.sync(() => outcomes.length > 0 && offered.send()))
        )
      ),

      /** Stores the remaining outcomes when the loop stops. */
      storeRest: store(Number.POSITIVE_INFINITY)
    }
  })
