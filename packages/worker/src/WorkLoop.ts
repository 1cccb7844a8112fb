import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { nextTurn } from "@switchboard/services/NextTurn"
import { type LeaseHistory, maxLeaseExpiries, suspectAfter } from "@switchboard/services/queues/WorkQueue"
import { Array, Cause, Clock, Duration, Effect, Exit, Fiber, FiberSet, Option, Queue, type Scope, Stream } from "effect"
import { FairBuffer, makeSlots } from "./FairBuffer.js"
import { HeldEntries, type HeldEntry, leaseEnd, makeHeldLeases } from "./HeldEntries.js"
import { makeOutcomes } from "./Outcomes.js"
import type { QueueWork, WorkLoopOptions } from "./QueueWork.js"
import { runForever, runPeriodically } from "./ScheduledJobs.js"
import { makeTakeDemand } from "./TakeDemand.js"

/** The default share of the slots for one owner. */
const maxShare = 0.8

/** The attempts that are started in one turn of the event loop: a larger batch would delay what other owners wait for. */
const maxStartsPerTurn = 4

/** How long other entries wait while a suspect is attempted alone. */
const aloneTimeout = "15 seconds"

/** How long a stopping loop waits for its last outcomes to be stored. */
const storeTimeout = "5 seconds"

/** Runs an effect in a finalizer with a timeout; it is made interruptible for that. */
const within = <A, E>(effect: Effect.Effect<A, E>, limit: Duration.DurationInput) =>
  Effect.ignore(Effect.timeout(Effect.interruptible(effect), limit))

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
    const share = options.ownerShare ?? Math.max(1, Math.floor(concurrency * maxShare))
    const held = new HeldEntries(work.keyOf, work.weight)
    const buffer = new FairBuffer<Owner, Entry>(({ item }) => work.ownerOf(item), share)
    /** Entries that are attempted alone, because their leases expired before. */
    const suspects = yield* Queue.unbounded<Entry>()
    const slots = yield* makeSlots(buffer, concurrency, share)
    const demand = yield* makeTakeDemand(batch, buffer, held)
    const leases = yield* makeHeldLeases(work, options, held, buffer, demand.capacityFreed)
    const running = yield* FiberSet.make<Done>()
    let isStopping = false
    const outcomes = yield* makeOutcomes(work, {
      batch,
      isIdle: slots.isIdle,
      isStopping: () => isStopping,
      renew: leases.renew,
      remove: leases.remove
    })

    // Taking: leases entries ahead of their attempts, up to the capacity by weight.

    /** Takes a batch if there is capacity. */
    const takeBatch = Effect.gen(function* () {
      const capacity = held.capacity()
      if (capacity <= 0 && work.weight?.hasWeightless !== true) return false
      const limit = Math.min(yield* work.admission, batch)
      const pausedOwners = yield* work.pause.pausedOwners
      const saturated = demand.sent()
      const now = yield* Clock.currentTimeNanos
      const until = yield* leaseEnd(lease)
      const except = held.all().flatMap((entry) => (entry.until <= now ? [entry.key.id] : []))
      const skipped = [...saturated, ...pausedOwners]
      // Uninterruptible: leased entries must reach the buffer.
      const taken = yield* Effect.uninterruptible(
        Effect.tap(work.take({ worker, lease, limit, perOwner: limit, skipped, except, capacity }), (items) => {
          const added = held.add(items, until)
          const [others, suspicious] = Array.partition(added, ({ item }) => item.leaseExpiries >= suspectAfter)
          buffer.offer(others)
          return Effect.zipRight(Queue.offerAll(suspects, suspicious), leases.storeProgressLater(added))
        })
      )
      demand.taken(saturated, { owners: taken.map(work.ownerOf), isLimited: taken.length === limit, capacity })
      return true
    })

    const takeRound = Effect.gen(function* () {
      if (yield* demand.during(takeBatch)) {
        yield* returnPaused
        select()
      }
      yield* demand.await(options.idle)
    })

    // Selecting: moves entries from the buffer into free slots.

    /** Runs after every take and after every attempt, and requests a take before the buffer is empty. */
    const select = (): void => {
      if (!isStopping && slots.fill()) demand.requestMore()
    }

    // Beginning: marks the selected entries as begun in one statement.

    /** Interruptible until the entries are begun. */
    const beginRound = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const entries = yield* restore(slots.awaitSelected)
        if (entries.length === 0) return
        const until = yield* leaseEnd(Duration.times(lease, 1 / 2))
        const begun = yield* Effect.tapError(restore(leases.begin(entries)), () => Effect.sync(slots.retrySelected))
        const clock = yield* Effect.clock
        let started = 0
        for (const entry of entries) {
          if (entry.until < until) entry.until = until
          if (!begun.has(entry.key.id)) {
            if (!slots.deselect(entry)) continue
            leases.remove([entry])
            slots.free(entry)
            // If the response arrives after the end of the lease, the entry is begun again.
          } else if (clock.unsafeCurrentTimeNanos() < entry.until && slots.deselect(entry)) {
            entry.stage = "begun"
            yield* attempt(entry, clock)
            if (++started % maxStartsPerTurn === 0) yield* nextTurn
          }
        }
        slots.retrySelected()
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
      slots.free(entry)
      if (Exit.isSuccess(exit)) {
        entry.stage = "ended"
        outcomes.offer(entry, exit.value)
      } else if (!Cause.isInterruptedOnly(exit.cause)) {
        // A defect has no outcome: the lease expires, which is counted.
        leases.remove([entry])
      }
      select()
    }

    /**
     * Attempts suspects alone. Other entries wait for at most `aloneTimeout`, and then run for as long as they waited.
     * A suspect that exceeds the timeout does not crash its worker, so a later expiry of its lease is not counted.
     */
    const suspectRound: Effect.Effect<void, ServiceUnavailableError> = Effect.gen(function* () {
      const entry = yield* Queue.take(suspects)
      const [took, attempted] = yield* slots
        .runAlone(entry)
        .pipe(Effect.timeoutOption(aloneTimeout), Effect.ensuring(Effect.sync(select)), Effect.timed)
      if (Option.isNone(attempted)) {
        if (slots.deselect(entry)) slots.free(entry)
        yield* entry.stage === "waiting" ? Queue.offer(suspects, entry) : work.queue.forgive([entry.key])
      }
      yield* Effect.sleep(took)
    })

    // Returning: entries that are not attempted go back to the queue.

    const { releaseUnbegun } = work

    /** Returns entries that were not begun to the queue. If their release fails, their leases expire. */
    const returnUnbegun = (entries: ReadonlyArray<Entry>) =>
      releaseUnbegun === undefined
        ? Effect.ensuring(
            leases.release(entries),
            Effect.sync(() => leases.remove(entries))
          )
        : Effect.forEach(
            entries,
            (entry) => {
              entry.stage = "ended"
              return Effect.map(releaseUnbegun(entry.item), (done) => outcomes.offer(entry, done))
            },
            { discard: true }
          )

    /** Returns buffered entries that are paused by now. */
    const returnPaused = Effect.flatMap(work.pause.isPaused, (isPaused) => {
      const paused = held
        .all()
        .filter(({ item, stage }) => stage === "waiting" && isPaused(work.ownerOf(item), () => work.domainOf?.(item)))
        .filter((entry) => buffer.remove(entry))
      return returnUnbegun(paused)
    })

    /** A take may find the entries of owners whose pause ended. */
    const followPauses = Stream.runForEach(work.pause.changes, () =>
      Effect.zipRight(returnPaused, Effect.sync(demand.request))
    )

    // Running, until the scope closes.

    const forever = <A, E>(round: Effect.Effect<A, E>, what: string) => runForever(round, `${work.name}: ${what}`)
    const renewRound = Effect.zipRight(
      Effect.sleep(Duration.times(lease, 1 / 3)),
      Effect.suspend(() => leases.renew(held.all()))
    )

    const starting = [
      yield* forever(takeRound, "taking"),
      yield* forever(beginRound, "beginning"),
      yield* forever(suspectRound, "attempting alone"),
      yield* forever(followPauses, "pausing")
    ]
    const settling = yield* forever(outcomes.settleRound, "settling")
    yield* Effect.forkScoped(Stream.runForEach(work.queue.woken, (owner) => Effect.sync(() => demand.notified(owner))))
    yield* forever(renewRound, "renewing")
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
        yield* within(leases.release(begun), storeTimeout)
        yield* Fiber.interruptFork(settling)
        yield* within(Fiber.await(settling), storeTimeout)
        yield* within(outcomes.storeRest, storeTimeout)
      })
    )
  })
