import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { nextTurn } from "@switchboard/services/NextTurn"
import { type LeaseHistory, maxLeaseExpiries, suspectAfter } from "@switchboard/services/queues/WorkQueue"
import { Array, Cause, Clock, Duration, Effect, Exit, Fiber, FiberSet, Option, Queue, type Scope, Stream } from "effect"
import { FairBuffer, HeldEntries, type HeldEntry } from "./HeldEntries.js"
import { progressDelay, type QueueWork, type WorkLoopOptions } from "./QueueWork.js"
import { jittered, logFailure, runPeriodically } from "./ScheduledJobs.js"
import { awaitBatch, makeSignal } from "./Signal.js"

/** The default share of the slots for one owner. */
const maxShare = 0.8

/** The attempts that are started in one turn of the event loop: a larger batch would delay what other owners wait for. */
const maxStartsPerTurn = 4

/** How long other entries wait while a suspect is attempted alone. */
const aloneTimeout = "15 seconds"

/** The wait before an outcome is stored again that the database rejected in every form. */
const rejectedWait = "30 seconds"

/** How long a stopping loop waits for its last outcomes to be stored. */
const storeTimeout = "5 seconds"

const retrySchedule = jittered("500 millis")

/** The earliest end of a lease that is requested now: measured from before the statement is sent. */
const leaseEnd = (lease: Duration.Duration): Effect.Effect<bigint> =>
  Effect.map(Clock.currentTimeNanos, (now) => now + BigInt(Math.floor(Duration.toMillis(lease) * 1e6)))

/** Runs an effect in a finalizer with a timeout; it is made interruptible for that. */
const within = <A, E>(effect: Effect.Effect<A, E>, limit: Duration.DurationInput) =>
  Effect.ignore(Effect.timeout(Effect.interruptible(effect), limit))

/** An outcome that is not stored yet. */
interface Outcome<Item, Done> {
  readonly entry: HeldEntry<Item>
  readonly done: Done
  readonly isReplaced: boolean
}

/**
 * Runs a queue. An entry passes through these steps: it is taken in a batch, waits in the buffer, is selected for a free
 * slot in turns between owners, begun together with others, attempted, and settled in a batch. Entries that are paused
 * before their attempt return to the queue. When its scope closes, the loop takes no more entries, waits `grace` for
 * running attempts, and releases the rest.
 */
export const workLoop = <Owner extends string, Item extends LeaseHistory, Done>(
  work: QueueWork<Owner, Item, Done>,
  options: WorkLoopOptions
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    type Entry = HeldEntry<Item>

    const { batch, concurrency, lease, worker } = options
    const { releaseUnbegun, storeProgress } = work
    const scope = yield* Effect.scope
    const share = options.ownerShare ?? Math.max(1, Math.floor(concurrency * maxShare))
    /** An owner with this many buffered entries needs no more now. */
    const enough = Math.ceil(batch / 2)
    const held = new HeldEntries(work.keyOf, work.weight)
    const buffer = new FairBuffer<Owner, Entry>(({ item }) => work.ownerOf(item), share)
    /** Entries that are attempted alone, because their leases expired before. */
    const suspects = yield* Queue.unbounded<Entry>()
    /** Entries that left the buffer and are not marked as begun. */
    const selected = new Set<Entry>()
    /** The slots of selected entries and of running attempts. */
    let slotsInUse = 0
    const running = yield* FiberSet.make<Done>()
    const outcomes: Array<Outcome<Item, Done>> = []
    let isStopping = false

    const keysOf = (entries: ReadonlyArray<Entry>) => entries.map(({ key }) => key)
    /** Whether no attempt is running: then waiting for more entries or outcomes is pointless. */
    const isIdle = () => slotsInUse === selected.size

    // Taking: leases entries ahead of their attempts, up to the capacity by weight.

    const wake = yield* makeSignal
    const capacityFreed = yield* makeSignal
    // Whether the last take may have left ready entries: of any owner, or of the owners excluded as saturated.
    let mayBeMore = true
    let limited: ReadonlySet<Owner> = new Set()
    // Whether the last take left entries for lack of capacity.
    let isFull = false
    // Whether a take is running or requested.
    let isTakeDue = false
    // The owners with new entries since the take was sent; null: any owner.
    const notifiedOwners = new Set<string | null>()

    /** Allows the next take after new entries, unless all are of an owner with enough buffered ones. */
    const allowTake = (owner: string | null) => {
      const saturated = buffer.saturated(enough).find((one) => one === owner)
      if (saturated === undefined) wake.send()
      else limited = new Set([...limited, saturated])
    }

    /** During a take it is decided when the buffer has its entries. */
    const notified = (owner: string | null) => {
      if (isTakeDue) notifiedOwners.add(owner)
      else allowTake(owner)
    }

    /** Takes more if another take could return entries that the buffer can use: not known while one is running. */
    const takeMore = () => {
      const canUse = !isTakeDue && buffer.ready() < batch / 2
      if (!canUse || !(mayBeMore || [...limited].some((owner) => buffer.size(owner) < enough))) return
      isTakeDue = true
      wake.send()
    }

    /** Removes entries. Freed capacity allows the next take of entries that were left in the queue. */
    const remove = (entries: ReadonlyArray<Entry>): void => {
      const before = held.capacity()
      for (const entry of entries) held.remove(entry)
      if (held.capacity() <= before) return
      wake.send()
      capacityFreed.send()
    }

    /** Stores the progress of entries whose attempts have not ended by then. A failure is only logged: outcomes include it. */
    const storeProgressLater = (entries: ReadonlyArray<Entry>) =>
      storeProgress === undefined || entries.length === 0
        ? Effect.void
        : Effect.suspend(() => {
            const open = entries.filter((entry) => entry.stage !== "ended" && held.has(entry))
            return open.length === 0 ? Effect.void : storeProgress(open.map(({ item }) => item))
          }).pipe(
            Effect.tapErrorCause(logFailure(`${work.name}: storing progress`)),
            Effect.ignore,
            Effect.delay(progressDelay),
            Effect.interruptible,
            Effect.forkIn(scope)
          )

    /** Takes a batch if there is capacity, and selects the first of its entries. */
    const takeBatch = Effect.gen(function* () {
      isTakeDue = true
      const capacity = held.capacity()
      if (capacity <= 0 && work.weight?.hasWeightless !== true) return false
      const admitted = yield* work.admission
      const pausedOwners = yield* work.pause.pausedOwners
      const saturated = buffer.saturated(enough)
      const limit = Math.min(admitted, batch)
      const now = yield* Clock.currentTimeNanos
      const until = yield* leaseEnd(lease)
      const except = held.all().flatMap((entry) => (entry.until <= now ? [entry.key.id] : []))
      const skipped = [...saturated, ...pausedOwners]
      notifiedOwners.clear()
      // Uninterruptible: leased entries must reach the buffer.
      const taken = yield* Effect.uninterruptible(
        Effect.tap(work.take({ worker, lease, limit, perOwner: limit, skipped, except, capacity }), (items) => {
          const added = held.add(items, until)
          const [others, suspicious] = Array.partition(added, ({ item }) => item.leaseExpiries >= suspectAfter)
          buffer.offer(others)
          return Effect.zipRight(Queue.offerAll(suspects, suspicious), storeProgressLater(added))
        })
      )
      const isLimited = taken.length === limit
      // A take has a share for each owner with ready entries: if all of a full one have enough, no other owner is left.
      limited = new Set(isLimited ? [...saturated, ...buffer.saturated(enough)] : saturated)
      mayBeMore = isLimited && !taken.every((item) => limited.has(work.ownerOf(item)))
      isFull = capacity <= 0 && !isLimited
      return true
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          isTakeDue = false
          notifiedOwners.forEach(allowTake)
          notifiedOwners.clear()
        })
      )
    )

    // Weightless takes release entries without capacity, which wakes all workers: so wait for capacity, not for a
    // wake-up.
    const awaitWork = Effect.suspend(() => (isFull && held.capacity() <= 0 ? capacityFreed : wake).wait).pipe(
      Effect.timeoutOption(options.idle)
    )

    const takeRound = Effect.gen(function* () {
      if (yield* takeBatch) {
        yield* returnPaused
        select()
      }
      yield* awaitWork
    })

    // Selecting: moves entries from the buffer into free slots.

    const selectedSignal = yield* makeSignal
    const noneInFlight = yield* makeSignal
    /** Whether an owner waits for its only selected entry, which is not delayed by the backlog of another owner. */
    let isUrgent = false
    /** Whether an entry is attempted alone, or waits for that: no other entry leaves the buffer. */
    let isAlone = false

    const occupySlot = (entry: Entry): void => {
      slotsInUse += 1
      selected.add(entry)
    }

    const freeSlot = (entry: Entry): void => {
      slotsInUse -= 1
      buffer.done(entry)
      if (slotsInUse === 0 && isAlone) noneInFlight.send()
    }

    /** Runs after every take and after every attempt, and signals a take before the buffer is empty. */
    const select = (): void => {
      if (isStopping || isAlone) return
      while (slotsInUse < concurrency) {
        const entry = buffer.next()
        if (entry === undefined) break
        occupySlot(entry)
        isUrgent ||= buffer.isAlone(entry)
      }
      if (selected.size > 0) selectedSignal.send()
      takeMore()
    }

    // Beginning: marks the selected entries as begun in one statement.

    // Half of the slots of one owner, so that the attempts of the other half run at the same time.
    const awaitSelected = awaitBatch(selectedSignal, () => isUrgent || selected.size >= share / 2 || isIdle())

    /** Interruptible until the entries are begun. */
    const beginRound = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* restore(awaitSelected)
        isUrgent = false
        const entries = [...selected]
        if (entries.length === 0) return
        const until = yield* leaseEnd(Duration.times(lease, 1 / 2))
        const begun = yield* Effect.tapError(restore(work.queue.begin(worker, keysOf(entries), lease)), () =>
          Effect.sync(selectedSignal.send)
        )
        const clock = yield* Effect.clock
        let started = 0
        for (const entry of entries) {
          if (entry.until < until) entry.until = until
          if (!begun.has(entry.key.id)) {
            if (!selected.delete(entry)) continue
            remove([entry])
            freeSlot(entry)
            // If the response arrives after the end of the lease, the entry is begun again.
          } else if (clock.unsafeCurrentTimeNanos() < entry.until && selected.delete(entry)) {
            entry.stage = "begun"
            yield* attempt(entry, clock)
            if (++started % maxStartsPerTurn === 0) yield* nextTurn
          }
        }
        if (selected.size > 0) selectedSignal.send()
        select()
      })
    )

    // Attempting: each entry in a fiber of its own.

    const attempt = (entry: Entry, clock: Clock.Clock) => {
      const isHeld = () => clock.unsafeCurrentTimeNanos() < entry.until && held.has(entry)
      const attempted =
        entry.item.leaseExpiries >= maxLeaseExpiries ? work.giveUp(entry.item) : work.attempt(entry.item, isHeld)
      const logged = Effect.tapDefect(attempted, (defect) =>
        Effect.logError(`${work.name}: an attempt died of a defect`, defect)
      )
      return Effect.map(FiberSet.run(running, Effect.interruptible(logged)), (fiber) =>
        fiber.addObserver((exit) => ended(entry, exit))
      )
    }

    const ended = (entry: Entry, exit: Exit.Exit<Done>): void => {
      freeSlot(entry)
      if (Exit.isSuccess(exit)) {
        entry.stage = "ended"
        offer({ entry, done: exit.value, isReplaced: false })
      } else if (!Cause.isInterruptedOnly(exit.cause)) {
        // A defect has no outcome: the lease expires, which is counted.
        remove([entry])
      }
      select()
    }

    const awaitNoneInFlight: Effect.Effect<void> = Effect.suspend(() =>
      slotsInUse === 0 ? Effect.void : Effect.zipRight(noneInFlight.wait, awaitNoneInFlight)
    )

    /** Waits until no attempt is running, attempts the entry, and waits for its end. */
    const attemptAlone = Effect.fnUntraced(function* (entry: Entry) {
      yield* awaitNoneInFlight
      buffer.occupy(entry)
      occupySlot(entry)
      selectedSignal.send()
      yield* awaitNoneInFlight
    })

    /**
     * Attempts suspects alone. Other entries wait for at most `aloneTimeout`, and then run for as long as they waited.
     * A suspect that exceeds the timeout does not crash its worker, so a later expiry of its lease is not counted.
     */
    const suspectRound: Effect.Effect<void, ServiceUnavailableError> = Effect.gen(function* () {
      const entry = yield* Queue.take(suspects)
      isAlone = true
      const [took, attempted] = yield* attemptAlone(entry).pipe(
        Effect.timeoutOption(aloneTimeout),
        Effect.ensuring(
          Effect.sync(() => {
            isAlone = false
            select()
          })
        ),
        Effect.timed
      )
      if (Option.isNone(attempted)) {
        if (selected.delete(entry)) freeSlot(entry)
        yield* entry.stage === "waiting" ? Queue.offer(suspects, entry) : work.queue.forgive([entry.key])
      }
      yield* Effect.sleep(took)
    })

    // Settling: stores outcomes in batches, and retries until they are stored or the loop stops.

    const offered = yield* makeSignal
    const awaitOutcomes = awaitBatch(offered, () => outcomes.length >= batch / 2 || isIdle())

    const offer = (outcome: Outcome<Item, Done>): void => {
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
        const retried = Effect.sync(() => offer(outcome))
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
        // A stopping loop tries once: an entry whose outcome is not stored is attempted again after its lease expires.
        Effect.retry({ schedule: retrySchedule, while: () => !isStopping }),
        Effect.zipRight(Effect.sync(() => remove(entries))),
        Effect.catchAllDefect((defect) =>
          Effect.forEach(some, (one) => (some.length > 1 ? persist([one]) : replace(one, defect)), { discard: true })
        )
      )
    }

    const storeOutcomes = (count: number) =>
      Effect.suspend(() => {
        const some = outcomes.splice(0, count)
        return some.length === 0 ? Effect.void : persist(some)
      })

    /** Interruptible only while it waits: outcomes that were removed from the list are always stored. */
    const settleRound = Effect.uninterruptibleMask((restore) =>
      restore(awaitOutcomes).pipe(
        Effect.zipRight(storeOutcomes(batch)),
        Effect.tap(() => Effect.sync(() => outcomes.length > 0 && offered.send()))
      )
    )

    // Leases of the entries that are held.

    /**
     * Extends leases. An entry that another worker has leased is removed from the buffer. If it had begun, the counted
     * expiry is reverted, since this worker is alive.
     */
    const renew = Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
      if (entries.length === 0) return
      const until = yield* leaseEnd(lease)
      const renewed = yield* work.queue.renew(worker, keysOf(entries), lease)
      const [lost, still] = Array.partition(entries, ({ key }) => renewed.has(key.id))
      for (const entry of still) entry.until = until
      remove(lost.filter((entry) => buffer.remove(entry)))
      const begun = lost.filter((entry) => entry.stage !== "waiting" && held.has(entry) && !entry.isForgiven)
      if (begun.length === 0) return
      yield* work.queue.forgive(keysOf(begun))
      for (const entry of begun) entry.isForgiven = true
    })

    const releaseLeases = (entries: ReadonlyArray<Entry>) =>
      Effect.suspend(() => (entries.length === 0 ? Effect.void : work.queue.release(worker, keysOf(entries))))

    /** Returns entries that were not begun to the queue. If their release fails, their leases expire. */
    const returnUnbegun = (entries: ReadonlyArray<Entry>) =>
      releaseUnbegun === undefined
        ? Effect.ensuring(
            releaseLeases(entries),
            Effect.sync(() => remove(entries))
          )
        : Effect.forEach(
            entries,
            (entry) => {
              entry.stage = "ended"
              return Effect.map(releaseUnbegun(entry.item), (done) => offer({ entry, done, isReplaced: false }))
            },
            { discard: true }
          )

    /** Returns buffered entries that are paused by now. */
    const returnPaused = Effect.flatMap(work.pause.isPaused, (isPaused) => {
      const paused = held
        .all()
        .filter(({ item, stage }) => stage === "waiting" && isPaused(work.ownerOf(item)))
        .filter((entry) => buffer.remove(entry))
      return returnUnbegun(paused)
    })

    /** A take may find the entries of owners whose pause ended. */
    const followPauses = Stream.runForEach(work.pause.changes, () =>
      Effect.zipRight(returnPaused, Effect.sync(wake.send))
    )

    const forever = <A, E>(round: Effect.Effect<A, E>, what: string) =>
      Effect.forever(round).pipe(
        Effect.tapErrorCause(logFailure(`${work.name}: ${what}`)),
        Effect.sandbox,
        Effect.retry(retrySchedule),
        Effect.ignore,
        Effect.forkScoped
      )

    const starting = [
      yield* forever(takeRound, "taking"),
      yield* forever(beginRound, "beginning"),
      yield* forever(suspectRound, "attempting alone"),
      yield* forever(followPauses, "pausing")
    ]
    const settling = yield* forever(settleRound, "settling")
    yield* Effect.forkScoped(Stream.runForEach(work.queue.woken, (owner) => Effect.sync(() => notified(owner))))
    const renewAll = Effect.suspend(() => renew(held.all()))
    yield* forever(Effect.zipRight(Effect.sleep(Duration.times(lease, 1 / 3)), renewAll), "renewing")
    yield* runPeriodically(work.queue.recover, Duration.times(lease, 1 / 4), `${work.name}: recovering lost leases`)
    yield* forever(Effect.zipRight(work.queue.promote, work.queue.awaitDue), "promoting due entries")

    // Added last, so that it runs first when the scope closes.
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        isStopping = true
        yield* Fiber.interruptAll(starting)
        yield* within(FiberSet.awaitEmpty(running), options.grace)
        yield* within(FiberSet.clear(running), storeTimeout)
        // An interrupted attempt may have sent its mail: it is flagged as a repeat, and no lease expiry is counted.
        const [waiting, begun] = Array.partition(
          held.all().filter(({ stage }) => stage !== "ended"),
          ({ stage }) => stage === "begun"
        )
        yield* within(returnUnbegun(waiting), storeTimeout)
        yield* within(releaseLeases(begun), storeTimeout)
        yield* Fiber.interruptFork(settling)
        yield* within(Fiber.await(settling), storeTimeout)
        yield* within(storeOutcomes(Number.POSITIVE_INFINITY), storeTimeout)
      })
    )
  })
