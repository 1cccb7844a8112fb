import { Restoration } from "@switchboard/services/installation/Restoration"
import { type LeaseHistory, maxLeaseExpiries, suspectAfter } from "@switchboard/services/queues/WorkQueue"
import { Array, Cause, Clock, Duration, Effect, Fiber, FiberSet, Option, Queue, type Scope, Stream } from "effect"
import { awaitBatch } from "./AwaitBatch.js"
import { FairBuffer } from "./FairBuffer.js"
import { HeldEntries, type HeldEntry, leaseEnd } from "./HeldEntries.js"
import { logFailure } from "./LogFailure.js"
import type { QueueWork, WorkLoopOptions } from "./QueueWork.js"
import { runPeriodically } from "./RunPeriodically.js"
import { retrySchedule, settle } from "./Settling.js"

/** The default share of the slots for one owner. */
const maxShare = 0.8

/** How long a stopping loop waits for its last outcomes to be stored. */
const storeTimeout = "5 seconds"

/** How long other entries wait while a suspect is attempted alone. */
const aloneTimeout = "15 seconds"

/**
 * Runs a queue, unless the database is a held copy: takes batches ahead, buffers them in turns between owners, begins selected entries in one statement,
 * attempts them with bounded concurrency, and settles in batches. When its scope closes, it takes no more, waits
 * `grace` for running attempts, and releases the rest.
 */
export const workLoop = <Owner extends string, Item extends LeaseHistory, Done>(
  work: QueueWork<Owner, Item, Done>,
  options: WorkLoopOptions
): Effect.Effect<void, never, Restoration | Scope.Scope> =>
  Effect.gen(function* () {
    const { released } = yield* Restoration
    type Entry = HeldEntry<Item>

    const { concurrency, lease, worker } = options
    const share = options.ownerShare ?? Math.max(1, Math.floor(concurrency * maxShare))
    const buffer = new FairBuffer<Owner, Entry>(({ item }) => work.ownerOf(item), share)
    const held = new HeldEntries(work.keyOf, work.weight)
    /** Entries that left the buffer and are not marked as begun. */
    const selected = new Set<Entry>()
    const suspects = yield* Queue.unbounded<Entry>()
    const wake = yield* Queue.sliding<void>(1)
    const capacityFreed = yield* Queue.sliding<void>(1)
    const selectedSignal = yield* Queue.sliding<void>(1)
    const noneInFlight = yield* Queue.sliding<void>(1)
    const running = yield* FiberSet.make<void>()
    const enough = Math.ceil(options.batch / 2)
    let isStopping = false
    /** Slots in use, counted from when an entry leaves the buffer. */
    let inFlight = 0
    /** Whether an entry is attempted alone, or waits for that: no other entry leaves the buffer. */
    let isAlone = false
    // Whether the last take may have left ready entries: of any owner, or of the owners it excluded as saturated.
    let mayBeMore = true
    let limited: ReadonlyArray<Owner> = []
    // Whether the last take left entries for lack of capacity.
    let isFull = false

    /** Whether a take could return entries that the buffer can use. */
    const canTakeMore = () =>
      buffer.ready() < options.batch / 2 && (mayBeMore || limited.some((owner) => buffer.size(owner) < enough))

    /** Removes entries. Freed capacity allows the next take of entries that were left in the queue. */
    const release = (entries: ReadonlyArray<Entry>) =>
      Effect.suspend(() => {
        const before = held.capacity()
        for (const entry of entries) held.remove(entry)
        return held.capacity() > before
          ? Effect.zipRight(Queue.offer(wake, undefined), Queue.offer(capacityFreed, undefined))
          : Effect.void
      })

    /**
     * Extends leases. An entry that another worker has leased is removed from the buffer. If it had begun, the counted
     * expiry is reverted, since this worker is alive.
     */
    const renew = Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
      if (entries.length === 0) return
      const until = yield* leaseEnd(lease)
      const renewed = yield* work.queue.renew(
        worker,
        entries.map(({ key }) => key),
        lease
      )
      const [lost, still] = Array.partition(entries, ({ key }) => renewed.has(key.id))
      for (const entry of still) entry.until = until
      yield* release(lost.filter((entry) => buffer.remove(entry)))
      const begun = lost.filter((entry) => entry.stage !== "waiting" && held.has(entry) && !entry.isForgiven)
      if (begun.length === 0) return
      yield* work.queue.forgive(begun.map(({ key }) => key))
      for (const entry of begun) entry.isForgiven = true
    })

    /** Whether no attempt is running: then waiting for more entries is pointless. */
    const isIdle = () => inFlight === selected.size

    const settling = yield* settle(work, { batch: options.batch, isIdle, isStopping: () => isStopping, renew, release })

    const select = (entry: Entry) => {
      inFlight += 1
      selected.add(entry)
    }

    const freePlace = (entry: Entry) =>
      Effect.suspend(() => {
        inFlight -= 1
        buffer.done(entry)
        return inFlight === 0 && isAlone ? Queue.offer(noneInFlight, undefined) : Effect.void
      })

    const isHeld = (entry: Entry) => Effect.map(Clock.currentTimeNanos, (now) => now < entry.until && held.has(entry))

    const attempt = (entry: Entry) =>
      (entry.item.leaseExpiries >= maxLeaseExpiries
        ? work.giveUp(entry.item)
        : work.attempt(entry.item, isHeld(entry))
      ).pipe(
        Effect.ensuring(freePlace(entry)),
        Effect.flatMap((outcome) => {
          entry.stage = "ended"
          return settling.offer(entry, outcome)
        }),
        // A defect has no outcome: the lease expires, which is counted.
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.void
            : Effect.zipRight(release([entry]), Effect.logError(`${work.name}: an attempt died of a defect`, cause))
        ),
        Effect.zipRight(Effect.suspend(() => dispatch)),
        Effect.asVoid
      )

    // Runs after every take and after every attempt: fills the free slots, and signals a take before the buffer is
    // empty.
    const dispatch: Effect.Effect<void> = Effect.suspend(() => {
      if (isStopping || isAlone) return Effect.void
      while (inFlight < concurrency) {
        const entry = buffer.next()
        if (entry === undefined) break
        select(entry)
      }
      return Effect.zipRight(
        selected.size > 0 ? Queue.offer(selectedSignal, undefined) : Effect.void,
        canTakeMore() ? Queue.offer(wake, undefined) : Effect.void
      )
    })

    const enoughSelected = Math.min(concurrency / 4, share / 2)
    const awaitSelected = awaitBatch(selectedSignal, () => selected.size >= enoughSelected || isIdle())

    /** Marks the selected entries as begun and starts their attempts. */
    const beginRound = Effect.gen(function* () {
      yield* awaitSelected
      const entries = [...selected]
      if (entries.length === 0) return
      const until = yield* leaseEnd(Duration.times(lease, 1 / 2))
      const keys = entries.map(({ key }) => key)
      const begun = yield* Effect.tapError(work.queue.begin(worker, keys, lease), () =>
        Queue.offer(selectedSignal, undefined)
      )
      const now = yield* Clock.currentTimeNanos
      for (const entry of entries) {
        if (entry.until < until) entry.until = until
        if (!begun.has(entry.key.id)) {
          if (!selected.delete(entry)) continue
          yield* Effect.zipRight(release([entry]), freePlace(entry))
          // If the response arrives after the end of the lease, the entry is begun again.
        } else if (now < entry.until && selected.delete(entry)) {
          entry.stage = "begun"
          yield* FiberSet.run(running, attempt(entry))
        }
      }
      if (selected.size > 0) yield* Queue.offer(selectedSignal, undefined)
      yield* dispatch
    })

    const awaitNoneInFlight: Effect.Effect<void> = Effect.suspend(() =>
      inFlight === 0 ? Effect.void : Effect.zipRight(Queue.take(noneInFlight), awaitNoneInFlight)
    )

    /** Waits until no attempt is running, attempts the entry, and waits for its end. */
    const attemptAlone = (entry: Entry) =>
      awaitNoneInFlight.pipe(
        Effect.zipRight(
          Effect.suspend(() => {
            buffer.occupy(entry)
            select(entry)
            return Queue.offer(selectedSignal, undefined)
          })
        ),
        Effect.zipRight(awaitNoneInFlight)
      )

    /**
     * Attempts suspects alone. Other entries wait for at most `aloneTimeout`, and then run for as long as they waited.
     * A suspect that exceeds the timeout does not crash its worker, so a later expiry of its lease is not counted.
     */
    const suspectRound = Effect.gen(function* () {
      const entry = yield* Queue.take(suspects)
      isAlone = true
      const [took, ended] = yield* attemptAlone(entry).pipe(
        Effect.timeoutOption(aloneTimeout),
        Effect.ensuring(
          Effect.suspend(() => {
            isAlone = false
            return dispatch
          })
        ),
        Effect.timed
      )
      if (Option.isNone(ended)) {
        if (selected.delete(entry)) yield* freePlace(entry)
        yield* entry.stage === "waiting" ? Queue.offer(suspects, entry) : work.queue.forgive([entry.key])
      }
      yield* Effect.sleep(took)
    })

    const takeRound = Effect.gen(function* () {
      const capacity = held.capacity()
      if (capacity <= 0 && work.weight?.hasWeightless !== true) return
      const admitted = yield* work.admission
      const saturated = buffer.saturated(enough)
      const limit = Math.min(admitted, options.batch)
      const now = yield* Clock.currentTimeNanos
      const until = yield* leaseEnd(lease)
      const except = held.all().flatMap((entry) => (entry.until <= now ? [entry.key.id] : []))
      const request = { worker, lease, limit, perOwner: limit, saturated, except, capacity }
      // Uninterruptible: leased entries must reach the buffer.
      const taken = yield* Effect.uninterruptible(
        Effect.tap(work.take(request), (items) => {
          const [others, suspicious] = Array.partition(
            held.add(items, until),
            ({ item }) => item.leaseExpiries >= suspectAfter
          )
          buffer.offer(others)
          return Queue.offerAll(suspects, suspicious)
        })
      )
      mayBeMore = taken.length === limit
      isFull = capacity <= 0 && !mayBeMore
      limited = saturated
      yield* dispatch
    })

    // Weightless takes release entries without capacity, which wakes all workers: so wait for capacity, not for a
    // wake-up.
    const awaitWork = Effect.suspend(() => Queue.take(isFull && held.capacity() <= 0 ? capacityFreed : wake)).pipe(
      Effect.timeout(options.idle),
      Effect.catchTag("TimeoutException", () => Effect.void)
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
      yield* forever(Effect.zipRight(released, Effect.zipRight(takeRound, awaitWork)), "taking"),
      yield* forever(beginRound, "beginning"),
      yield* forever(suspectRound, "attempting alone")
    ]
    const storing = yield* forever(settling.round, "settling")
    yield* Effect.forkScoped(Stream.runForEach(work.queue.woken, () => Queue.offer(wake, undefined)))
    const renewing = Effect.suspend(() => renew(held.all()))
    yield* forever(Effect.zipRight(Effect.sleep(Duration.times(lease, 1 / 3)), renewing), "renewing")
    yield* runPeriodically(work.queue.recover, Duration.times(lease, 1 / 4), `${work.name}: recovering lost leases`)
    yield* runPeriodically(work.queue.promote, work.promoteEvery ?? "500 millis", `${work.name}: promoting due entries`)

    /** Runs an effect in a finalizer with a timeout; it is made interruptible for that. */
    const within = <A, E>(effect: Effect.Effect<A, E>, limit: Duration.DurationInput) =>
      Effect.ignore(Effect.timeout(Effect.interruptible(effect), limit))

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
        const releaseUnbegun = work.releaseUnbegun
        if (releaseUnbegun !== undefined) {
          yield* Effect.forEach(waiting, (entry) =>
            Effect.flatMap(releaseUnbegun(entry.item), (outcome) => settling.offer(entry, outcome))
          )
        }
        const released = releaseUnbegun === undefined ? [...waiting, ...begun] : begun
        const keys = released.map(({ key }) => key)
        if (keys.length > 0) yield* within(work.queue.release(worker, keys), storeTimeout)
        yield* Fiber.interruptFork(storing)
        yield* within(Fiber.await(storing), storeTimeout)
        yield* within(settling.rest, storeTimeout)
      })
    )
  })
