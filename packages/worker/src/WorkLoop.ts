import { HeldLease } from "@switchboard/services/queues/HeldLease"
import { type LeaseHistory, maxTakeovers, suspectAfter } from "@switchboard/services/queues/WorkQueue"
import { Array, Cause, Clock, Duration, Effect, Fiber, FiberSet, Option, Queue, type Scope, Stream } from "effect"
import { FairBuffer } from "./FairBuffer.js"
import { HeldEntries, type HeldEntry, leaseEnd } from "./HeldEntries.js"
import { logFailure } from "./LogFailure.js"
import type { QueueWork, WorkLoopOptions } from "./QueueWork.js"
import { regularly } from "./Regularly.js"
import { patiently, settle } from "./Settling.js"

/** The part of all places that one owner may take: the rest stays free for other owners. */
const maxShare = 0.8

/** How long a stopping loop waits for its last results to be stored. */
const storeTimeout = "5 seconds"

/** How long others wait while an entry is attempted alone. */
const aloneTimeout = "15 seconds"

/**
 * Takes batches ahead, gives them out one owner after the other, begins those that leave the buffer together, attempts
 * them with bounded concurrency, and settles in batches. Ends with its scope: then it takes no more, lets attempts end
 * within `grace`, and gives the rest back.
 */
export const workLoop = <Owner extends string, Item extends LeaseHistory, Done>(
  work: QueueWork<Owner, Item, Done>,
  options: WorkLoopOptions
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    type Entry = HeldEntry<Item>

    const { concurrency, lease, worker } = options
    const share = options.ownerShare ?? Math.max(1, Math.floor(concurrency * maxShare))
    const buffer = new FairBuffer<Owner, Entry>(({ item }) => work.ownerOf(item), share)
    const held = new HeldEntries(work.keyOf, work.weight)
    /** Entries that left the buffer, and are not marked as begun yet. */
    const chosen = new Set<Entry>()
    const suspects = yield* Queue.unbounded<Entry>()
    const wake = yield* Queue.sliding<void>(1)
    const roomMade = yield* Queue.sliding<void>(1)
    const chose = yield* Queue.sliding<void>(1)
    const quiet = yield* Queue.sliding<void>(1)
    const running = yield* FiberSet.make<void>()
    const enough = Math.ceil(options.batch / 2)
    let isStopping = false
    /** Places in use, from when an entry leaves the buffer. */
    let inFlight = 0
    /** An entry is attempted alone, or waits for that: no other leaves the buffer. */
    let isAlone = false
    // What the last take may have left behind: of any owner, or of these, which were not to give any.
    let mayBeMore = true
    let limited: ReadonlyArray<Owner> = []
    // Whether the last take left what there was no room for.
    let isFull = false

    /** Whether a take could find something that the buffer has a use for. */
    const isHungry = () =>
      buffer.ready() < options.batch / 2 && (mayBeMore || limited.some((owner) => buffer.size(owner) < enough))

    /** These are held no longer. Where they made room, there may be something that had none. */
    const release = (entries: ReadonlyArray<Entry>) =>
      Effect.suspend(() => {
        const before = held.room()
        for (const entry of entries) held.remove(entry)
        return held.room() > before
          ? Effect.zipRight(Queue.offer(wake, undefined), Queue.offer(roomMade, undefined))
          : Effect.void
      })

    /** Extends leases. What another worker took meanwhile leaves the buffer; if it had begun, it did not end this worker. */
    const renew = Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
      if (entries.length === 0) return
      const until = yield* leaseEnd(lease)
      const kept = yield* work.queue.renew(
        worker,
        entries.map(({ key }) => key),
        lease
      )
      const [lost, still] = Array.partition(entries, ({ key }) => kept.has(key.id))
      for (const entry of still) entry.until = until
      yield* release(lost.filter((entry) => buffer.remove(entry)))
      const begun = lost.filter((entry) => entry.stage !== "waiting" && held.has(entry) && !entry.isForgiven)
      if (begun.length === 0) return
      yield* work.queue.forgive(begun.map(({ key }) => key))
      for (const entry of begun) entry.isForgiven = true
    })

    const settling = yield* settle(work, { batch: options.batch, isStopping: () => isStopping, renew, release })

    const choose = (entry: Entry) => {
      inFlight += 1
      chosen.add(entry)
    }

    const freePlace = (entry: Entry) =>
      Effect.suspend(() => {
        inFlight -= 1
        buffer.done(entry)
        return inFlight === 0 && isAlone ? Queue.offer(quiet, undefined) : Effect.void
      })

    const isHeld = (entry: Entry) => Effect.map(Clock.currentTimeNanos, (now) => now < entry.until && held.has(entry))

    const attempt = (entry: Entry) =>
      (entry.item.takeovers >= maxTakeovers ? work.giveUp(entry.item) : work.attempt(entry.item)).pipe(
        Effect.provideService(HeldLease, isHeld(entry)),
        Effect.flatMap((outcome) => {
          entry.stage = "ended"
          return settling.offer(entry, outcome)
        }),
        // A defect has no outcome: the lease runs out, and that is counted.
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.void
            : Effect.zipRight(release([entry]), Effect.logError(`${work.name}: an attempt broke`, cause))
        ),
        Effect.ensuring(freePlace(entry)),
        Effect.zipRight(Effect.suspend(() => dispatch)),
        Effect.asVoid
      )

    // Runs after every take and every end of an attempt: fills the free places, and takes more before it runs dry.
    const dispatch: Effect.Effect<void> = Effect.suspend(() => {
      if (isStopping || isAlone) return Effect.void
      while (inFlight < concurrency) {
        const entry = buffer.next()
        if (entry === undefined) break
        choose(entry)
      }
      return Effect.zipRight(
        chosen.size > 0 ? Queue.offer(chose, undefined) : Effect.void,
        isHungry() ? Queue.offer(wake, undefined) : Effect.void
      )
    })

    /** Marks chosen entries as begun and starts their attempts. Those chosen while a statement runs share the next one. */
    const beginRound = Effect.gen(function* () {
      yield* Queue.take(chose)
      const entries = [...chosen]
      if (entries.length === 0) return
      const until = yield* leaseEnd(Duration.times(lease, 1 / 2))
      const keys = entries.map(({ key }) => key)
      const kept = yield* Effect.tapError(work.queue.begin(worker, keys, lease), () => Queue.offer(chose, undefined))
      const now = yield* Clock.currentTimeNanos
      for (const entry of entries) {
        if (entry.until < until) entry.until = until
        if (!kept.has(entry.key.id)) {
          if (!chosen.delete(entry)) continue
          yield* Effect.zipRight(release([entry]), freePlace(entry))
          // An answer that comes after the end of the lease is asked for again.
        } else if (now < entry.until && chosen.delete(entry)) {
          entry.stage = "begun"
          yield* FiberSet.run(running, attempt(entry))
        }
      }
      if (chosen.size > 0) yield* Queue.offer(chose, undefined)
      yield* dispatch
    })

    const awaitQuiet: Effect.Effect<void> = Effect.suspend(() =>
      inFlight === 0 ? Effect.void : Effect.zipRight(Queue.take(quiet), awaitQuiet)
    )

    /** Waits for all others, and then for the end of this one. */
    const attemptAlone = (entry: Entry) =>
      awaitQuiet.pipe(
        Effect.zipRight(
          Effect.suspend(() => {
            buffer.occupy(entry)
            choose(entry)
            return Queue.offer(chose, undefined)
          })
        ),
        Effect.zipRight(awaitQuiet)
      )

    /**
     * Attempts suspects alone. Others wait no longer than `aloneTimeout` at a time, and then have as much time. A suspect
     * that is still under way by then is not what ends workers: a takeover that follows is not counted.
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
        if (chosen.delete(entry)) yield* freePlace(entry)
        yield* entry.stage === "waiting" ? Queue.offer(suspects, entry) : work.queue.forgive([entry.key])
      }
      yield* Effect.sleep(took)
    })

    const takeRound = Effect.gen(function* () {
      const space = held.room()
      if (space <= 0 && work.weight?.someWeighNothing !== true) return
      const admitted = yield* work.admission
      const saturated = buffer.saturated(enough)
      const limit = Math.min(admitted, options.batch)
      const now = yield* Clock.currentTimeNanos
      const until = yield* leaseEnd(lease)
      const except = held.all().flatMap((entry) => (entry.until <= now ? [entry.key.id] : []))
      const request = { worker, lease, limit, perOwner: limit, saturated, except, room: space }
      // Shielded: what has been leased must not be lost between the answer and the buffer.
      const taken = yield* Effect.uninterruptible(
        Effect.tap(work.take(request), (items) => {
          const [others, suspicious] = Array.partition(
            held.add(items, until),
            ({ item }) => item.takeovers >= suspectAfter
          )
          buffer.offer(others)
          return Queue.offerAll(suspects, suspicious)
        })
      )
      mayBeMore = taken.length === limit
      isFull = space <= 0 && !mayBeMore
      limited = saturated
      yield* dispatch
    })

    // What had no room was given back, which notifies all workers: it is not looked for again before there is some.
    const awaitWork = Effect.suspend(() => Queue.take(isFull && held.room() <= 0 ? roomMade : wake)).pipe(
      Effect.timeout(options.idle),
      Effect.catchTag("TimeoutException", () => Effect.void)
    )

    const forever = <A, E>(round: Effect.Effect<A, E>, what: string) =>
      Effect.forever(round).pipe(
        Effect.tapErrorCause(logFailure(`${work.name}: ${what}`)),
        Effect.sandbox,
        Effect.retry(patiently),
        Effect.ignore,
        Effect.forkScoped
      )

    const starting = [
      yield* forever(Effect.zipRight(takeRound, awaitWork), "taking"),
      yield* forever(beginRound, "beginning"),
      yield* forever(suspectRound, "attempting alone")
    ]
    const storing = yield* forever(settling.round, "settling")
    yield* Effect.forkScoped(Stream.runForEach(work.queue.woken, () => Queue.offer(wake, undefined)))
    const renewing = Effect.suspend(() => renew(held.all()))
    yield* forever(Effect.zipRight(Effect.sleep(Duration.times(lease, 1 / 3)), renewing), "renewing")
    yield* regularly(work.queue.recover, Duration.times(lease, 1 / 4), `${work.name}: recovering lost leases`)
    yield* regularly(work.queue.promote, work.promoteEvery ?? "500 millis", `${work.name}: promoting what is due`)

    /** A bound on something that a finalizer waits for: finalizers can't be interrupted unless they say so. */
    const within = <A, E>(effect: Effect.Effect<A, E>, limit: Duration.DurationInput) =>
      Effect.ignore(Effect.timeout(Effect.interruptible(effect), limit))

    // Added last, so that it runs first when the scope closes.
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        isStopping = true
        yield* Fiber.interruptAll(starting)
        yield* within(FiberSet.awaitEmpty(running), options.grace)
        yield* within(FiberSet.clear(running), storeTimeout)
        // An attempt that was cut short may have sent its mail: its repeat is marked, and no takeover is counted.
        const [waiting, begun] = Array.partition(
          held.all().filter(({ stage }) => stage !== "ended"),
          ({ stage }) => stage === "begun"
        )
        const handBack = work.handBack
        if (handBack !== undefined) {
          yield* Effect.forEach(waiting, (entry) =>
            Effect.flatMap(handBack(entry.item), (outcome) => settling.offer(entry, outcome))
          )
        }
        const released = handBack === undefined ? [...waiting, ...begun] : begun
        const keys = released.map(({ key }) => key)
        if (keys.length > 0) yield* within(work.queue.release(worker, keys), storeTimeout)
        yield* Fiber.interruptFork(storing)
        yield* within(Fiber.await(storing), storeTimeout)
        yield* within(settling.rest, storeTimeout)
      })
    )
  })
