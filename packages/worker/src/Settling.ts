import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { LeaseHistory } from "@switchboard/services/queues/WorkQueue"
import { Cause, Clock, Effect, Queue } from "effect"
import type { HeldEntry } from "./HeldEntries.js"
import type { QueueWork } from "./QueueWork.js"
import { jittered } from "./Regularly.js"

/** How long an outcome waits that the database has refused in every form. */
const refusedWait = "30 seconds"

export const patiently = jittered("500 millis")

/** The outcome of an entry, until it is stored. */
interface Ended<Item, Done> {
  readonly entry: HeldEntry<Item>
  readonly done: Done
  readonly isReplaced: boolean
}

/** What settling needs of the loop that holds the entries. */
interface Holder<Item> {
  readonly batch: number
  readonly isStopping: () => boolean
  readonly renew: (entries: ReadonlyArray<HeldEntry<Item>>) => Effect.Effect<void, ServiceUnavailableError>
  /** Their outcomes are stored. */
  readonly release: (entries: ReadonlyArray<HeldEntry<Item>>) => Effect.Effect<void>
}

/** Stores outcomes in batches. An outcome is kept until it is stored, or the loop stops. */
export const settle = <Owner extends string, Item extends LeaseHistory, Done>(
  work: QueueWork<Owner, Item, Done>,
  { batch, isStopping, release, renew }: Holder<Item>
) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const outcomes = yield* Queue.unbounded<Ended<Item, Done>>()

    /** An outcome that the database refuses is replaced; if that is refused too, it is kept for later. */
    const replace = Effect.fnUntraced(function* (ended: Ended<Item, Done>, defect: unknown) {
      const { entry, isReplaced } = ended
      yield* Effect.logError(`${work.name}: an outcome can't be stored`, Cause.die(defect)).pipe(
        Effect.annotateLogs({ organizationId: entry.key.organizationId, entryId: entry.key.id })
      )
      if (isReplaced) {
        yield* Effect.forkIn(Effect.delay(Queue.offer(outcomes, ended), refusedWait), scope)
      } else {
        yield* persist([{ entry, done: yield* work.replace(entry.item, ended.done), isReplaced: true }])
      }
    })

    /** Stores outcomes, one by one if the database refuses them together. */
    const persist = (ended: ReadonlyArray<Ended<Item, Done>>): Effect.Effect<void, ServiceUnavailableError> => {
      const entries = ended.map(({ entry }) => entry)
      return Clock.currentTimeNanos.pipe(
        // A lease that ran out is held again, if no other worker has the entry.
        Effect.flatMap((now) => renew(entries.filter(({ until }) => until <= now))),
        Effect.zipRight(Effect.suspend(() => work.settle(ended.map(({ done }) => done)))),
        Effect.tapError(() => Effect.logWarning(`${work.name}: results can't be stored yet`)),
        // A stopping loop tries once: what it can't store comes back when its lease runs out.
        Effect.retry({ schedule: patiently, while: () => !isStopping() }),
        Effect.zipRight(release(entries)),
        Effect.catchAllDefect((defect) =>
          Effect.forEach(ended, (one) => (ended.length > 1 ? persist([one]) : replace(one, defect)), { discard: true })
        )
      )
    }

    return {
      offer: (entry: HeldEntry<Item>, done: Done) => Queue.offer(outcomes, { entry, done, isReplaced: false }),
      /** Only the wait may be interrupted: a batch that was taken from the queue is stored. */
      round: Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(Queue.takeBetween(outcomes, 1, batch)), (some) => persist([...some]))
      ),
      /** Stores what no round has taken. */
      rest: Effect.flatMap(Queue.takeAll(outcomes), (some) => (some.length === 0 ? Effect.void : persist([...some])))
    }
  })
