import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { LeaseHistory } from "@switchboard/services/queues/WorkQueue"
import { Cause, Clock, Effect } from "effect"
import { awaitBatch } from "./AwaitBatch.js"
import type { HeldEntry } from "./HeldEntries.js"
import type { QueueWork } from "./QueueWork.js"
import { jittered } from "./RunPeriodically.js"
import { makeSignal } from "./Signal.js"

/** The wait before an outcome is stored again that the database rejected in every form. */
const rejectedWait = "30 seconds"

export const retrySchedule = jittered("500 millis")

/** An outcome that is not stored yet. */
interface Ended<Item, Done> {
  readonly entry: HeldEntry<Item>
  readonly done: Done
  readonly isReplaced: boolean
}

/** The functions of the loop that holds the entries. */
interface Holder<Item> {
  readonly batch: number
  /** Whether no outcome is expected soon. */
  readonly isIdle: () => boolean
  readonly isStopping: () => boolean
  readonly renew: (entries: ReadonlyArray<HeldEntry<Item>>) => Effect.Effect<void, ServiceUnavailableError>
  /** Removes entries whose outcomes are stored. */
  readonly release: (entries: ReadonlyArray<HeldEntry<Item>>) => void
}

/** Stores outcomes in batches, and retries until they are stored or the loop stops. */
export const settle = <Owner extends string, Item extends LeaseHistory, Done>(
  work: QueueWork<Owner, Item, Done>,
  { batch, isIdle, isStopping, release, renew }: Holder<Item>
) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const outcomes: Array<Ended<Item, Done>> = []
    const offered = yield* makeSignal
    const awaitOutcomes = awaitBatch(offered, () => outcomes.length >= batch / 2 || isIdle())

    const enqueue = (ended: Ended<Item, Done>): void => {
      outcomes.push(ended)
      offered.send()
    }

    /** Replaces an outcome that the database rejected. If the replacement is rejected too, it is retried later. */
    const replace = Effect.fnUntraced(function* (ended: Ended<Item, Done>, defect: unknown) {
      const { entry, isReplaced } = ended
      yield* Effect.logError(`${work.name}: the database rejected an outcome`, Cause.die(defect)).pipe(
        Effect.annotateLogs({ organizationId: entry.key.organizationId, entryId: entry.key.id })
      )
      if (isReplaced) {
        const retried = Effect.sync(() => enqueue(ended))
        yield* Effect.forkIn(Effect.delay(retried, rejectedWait), scope)
      } else {
        yield* persist([{ entry, done: yield* work.replace(entry.item, ended.done), isReplaced: true }])
      }
    })

    /** Stores outcomes in one statement, or one by one if the database rejects the batch. */
    const persist = (ended: ReadonlyArray<Ended<Item, Done>>): Effect.Effect<void, ServiceUnavailableError> => {
      const entries = ended.map(({ entry }) => entry)
      return Clock.currentTimeNanos.pipe(
        // Renews expired leases, unless another worker has the entry.
        Effect.flatMap((now) => renew(entries.filter(({ until }) => until <= now))),
        Effect.zipRight(Effect.suspend(() => work.settle(ended.map(({ done }) => done)))),
        Effect.tapError(() => Effect.logWarning(`${work.name}: outcomes can't be stored yet`)),
        // A stopping loop tries once: an entry whose outcome is not stored is attempted again after its lease expires.
        Effect.retry({ schedule: retrySchedule, while: () => !isStopping() }),
        Effect.zipRight(Effect.sync(() => release(entries))),
        Effect.catchAllDefect((defect) =>
          Effect.forEach(ended, (one) => (ended.length > 1 ? persist([one]) : replace(one, defect)), { discard: true })
        )
      )
    }

    const storeSome = (count: number) =>
      Effect.suspend(() => {
        const some = outcomes.splice(0, count)
        return some.length === 0 ? Effect.void : persist(some)
      })

    return {
      offer: (entry: HeldEntry<Item>, done: Done): void => enqueue({ entry, done, isReplaced: false }),
      /** Interruptible only while it waits: outcomes that were removed from the list are always stored. */
      round: Effect.uninterruptibleMask((restore) =>
        restore(awaitOutcomes).pipe(
          Effect.zipRight(storeSome(batch)),
          Effect.tap(() => Effect.sync(() => outcomes.length > 0 && offered.send()))
        )
      ),
      /** Stores all remaining outcomes. */
      rest: storeSome(Number.POSITIVE_INFINITY)
    }
  })
