import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Cause, Duration, Effect, Fiber, FiberSet, Queue, Ref, Schedule, type Scope, Stream } from "effect"
import { FairBuffer } from "./FairBuffer.js"
import { logStumbled } from "./Stumbled.js"

/** What there is to do, and how it is taken, done and settled. Everything that was taken is settled, or its lease ends. */
export interface Work<Owner, Item, Done> {
  /** Names the loop in logs. */
  readonly name: string
  readonly ownerOf: (item: Item) => Owner
  readonly idOf: (item: Item) => string
  /**
   * Leases what is ready: at most `limit`, at most `perOwner` of one owner, nothing of those who have enough, and no more
   * than there is `room` for; but one item always, so that none is too heavy. Without any room, what weighs nothing.
   */
  readonly take: (request: {
    readonly limit: number
    readonly perOwner: number
    readonly saturated: ReadonlyArray<Owner>
    readonly room: number
  }) => Effect.Effect<ReadonlyArray<Item>, ServiceUnavailableError>
  /**
   * What an item weighs from when it is taken until it is settled, and how much may be held; and whether some weigh
   * nothing, which are taken even while there is no room. If it is left out, nothing weighs anything.
   */
  readonly weight?: { readonly of: (item: Item) => number; readonly most: number; readonly someWeighNothing?: boolean }
  /** How many may be taken now; waits while there is none to be taken. */
  readonly admission: Effect.Effect<number>
  /** Does the work. Never fails: what goes wrong is an outcome. */
  readonly attempt: (item: Item) => Effect.Effect<Done>
  /** What becomes of an item that a stopping loop gives back. */
  readonly handBack: (item: Item) => Effect.Effect<Done>
  readonly settle: (done: ReadonlyArray<Done>) => Effect.Effect<void, ServiceUnavailableError>
  readonly renew: (ids: ReadonlyArray<string>) => Effect.Effect<void, ServiceUnavailableError>
  /** Says that something became ready. */
  readonly woken: Stream.Stream<void>
}

export interface WorkLoopOptions {
  /** Attempts at a time. */
  readonly concurrency: number
  /** Items taken, and settled, in one transaction at most. */
  readonly batch: number
  /** How long nothing may be heard before it is looked whether something is there all the same. */
  readonly idle: Duration.Duration
  readonly lease: Duration.Duration
  /** How long a stopping loop waits for the attempts under way. */
  readonly grace: Duration.Duration
  /** How many of the places one owner may take, if not four fifths of them. */
  readonly ownerShare?: number
}

/** The part of all places that one owner may take: the rest stays free for whoever comes next. */
const largestShare = 0.8

/** How long a stopping loop waits for its last results to be stored. */
const storeWithin = "5 seconds"

const patiently = Schedule.jittered(Schedule.spaced("500 millis"))

/**
 * Take, do, settle: takes batches ahead, gives them out one owner after the other with bounded concurrency, and
 * settles in batches what has been done meanwhile. Ends with its scope: then it takes no more, lets attempts end
 * within `grace`, and hands the rest back.
 */
export const workLoop = <Owner, Item, Done>(
  work: Work<Owner, Item, Done>,
  options: WorkLoopOptions
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const share = options.ownerShare ?? Math.max(1, Math.floor(options.concurrency * largestShare))
    const buffer = new FairBuffer<Owner, Item>(work.ownerOf, share)
    const held = new Map<string, Item>()
    const done = yield* Queue.unbounded<{ readonly item: Item; readonly done: Done }>()
    const wake = yield* Queue.sliding<void>(1)
    const roomMade = yield* Queue.sliding<void>(1)
    const stopping = yield* Ref.make(false)
    const running = yield* FiberSet.make<void>()
    const enough = Math.ceil(options.batch / 2)
    let inFlight = 0
    // What the last take may have left behind: of anybody, or of these owners, who were not to give any.
    let mayBeMore = true
    let limited: ReadonlyArray<Owner> = []
    // Whether the last take left what there was no room for.
    let isFull = false

    /** Whether a take could find something that the buffer has a use for. */
    const hungry = () =>
      buffer.ready() < options.batch / 2 && (mayBeMore || limited.some((owner) => buffer.size(owner) < enough))

    /** How much more may be held. */
    const room = () => {
      if (work.weight === undefined) return Number.POSITIVE_INFINITY
      let left = work.weight.most
      for (const item of held.values()) left -= work.weight.of(item)
      return left
    }

    /** These are held no longer. Where they made room, there may be something that had none. */
    const release = (items: ReadonlyArray<Item>) =>
      Effect.suspend(() => {
        const before = room()
        for (const item of items) held.delete(work.idOf(item))
        return room() > before
          ? Effect.zipRight(Queue.offer(wake, undefined), Queue.offer(roomMade, undefined))
          : Effect.void
      })

    const attempt = (item: Item) =>
      work.attempt(item).pipe(
        Effect.flatMap((outcome) => Queue.offer(done, { item, done: outcome })),
        // What broke is nobody's to settle: its lease runs out, and the next takeover is counted.
        Effect.catchAllCause((cause) =>
          Effect.zipRight(
            release([item]),
            Cause.isInterruptedOnly(cause) ? Effect.void : Effect.logError(`${work.name}: an attempt broke`, cause)
          )
        ),
        Effect.ensuring(
          Effect.sync(() => {
            inFlight -= 1
            buffer.done(item)
          })
        ),
        Effect.zipRight(Effect.suspend(() => dispatch)),
        Effect.asVoid
      )

    // Runs after every take and every end of an attempt: fills the free places, and asks for more before it runs dry.
    const dispatch: Effect.Effect<void> = Effect.gen(function* () {
      if (yield* Ref.get(stopping)) return
      while (inFlight < options.concurrency) {
        const item = buffer.next()
        if (item === undefined) break
        inFlight += 1
        yield* FiberSet.run(running, attempt(item))
      }
      if (hungry()) yield* Queue.offer(wake, undefined)
    })

    const takeRound = Effect.gen(function* () {
      const space = room()
      if (space <= 0 && work.weight?.someWeighNothing !== true) return
      const admitted = yield* work.admission
      const saturated = buffer.saturated(enough)
      const limit = Math.min(admitted, options.batch)
      // Shielded: what has been leased must not be forgotten between the answer and the buffer.
      const taken = yield* Effect.uninterruptible(
        Effect.tap(work.take({ limit, perOwner: limit, saturated, room: space }), (items) =>
          Effect.sync(() => {
            for (const item of items) held.set(work.idOf(item), item)
            buffer.offer(items)
          })
        )
      )
      mayBeMore = taken.length === limit
      isFull = space <= 0 && !mayBeMore
      limited = saturated
      yield* dispatch
    })

    // What had no room was given back, which wakes everybody: nobody is to look for that again before there is some.
    const awaitWork = Effect.suspend(() => Queue.take(isFull && room() <= 0 ? roomMade : wake)).pipe(
      Effect.timeout(options.idle),
      Effect.catchTag("TimeoutException", () => Effect.void)
    )

    const persist = (batch: ReadonlyArray<{ readonly item: Item; readonly done: Done }>) =>
      work.settle(batch.map((entry) => entry.done)).pipe(
        Effect.tapError(() => Effect.logWarning(`${work.name}: results can't be stored yet`)),
        // A stopping loop tries once: what it can't store comes back when its lease runs out.
        Effect.retry({ schedule: patiently, while: () => Effect.map(Ref.get(stopping), (stops) => !stops) }),
        Effect.ensuring(release(batch.map(({ item }) => item)))
      )

    // Only the wait may be interrupted: a batch that was taken from the queue is stored.
    const settleRound = Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(Queue.takeBetween(done, 1, options.batch)), (batch) => persist([...batch]))
    )

    const renewRound = Effect.suspend(() => (held.size === 0 ? Effect.void : work.renew([...held.keys()])))

    const forever = <A, E>(round: Effect.Effect<A, E>, what: string) =>
      Effect.forever(round).pipe(
        Effect.tapErrorCause(logStumbled(`${work.name}: ${what}`)),
        Effect.sandbox,
        Effect.retry(patiently),
        Effect.ignore,
        Effect.forkScoped
      )

    const taking = yield* forever(Effect.zipRight(takeRound, awaitWork), "taking")
    const settling = yield* forever(settleRound, "settling")
    yield* Effect.forkScoped(Stream.runForEach(work.woken, () => Queue.offer(wake, undefined)))
    yield* forever(Effect.zipRight(Effect.sleep(Duration.times(options.lease, 1 / 3)), renewRound), "renewing")

    /** A bound on something that a finalizer waits for: finalizers can't be interrupted unless they say so. */
    const within = <A, E>(effect: Effect.Effect<A, E>, most: Duration.DurationInput) =>
      Effect.ignore(Effect.timeout(Effect.interruptible(effect), most))

    // Added last, so that it runs first when the scope closes.
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        yield* Ref.set(stopping, true)
        yield* Fiber.interrupt(taking)
        yield* within(FiberSet.awaitEmpty(running), options.grace)
        // Whatever is still being attempted may have been sent: its lease runs out, and the takeover says so.
        yield* Effect.forEach(buffer.drain(), (item) =>
          Effect.flatMap(work.handBack(item), (outcome) => Queue.offer(done, { item, done: outcome }))
        )
        yield* Fiber.interruptFork(settling)
        yield* within(Fiber.await(settling), storeWithin)
        const rest = yield* Queue.takeAll(done)
        if (rest.length > 0) yield* within(persist([...rest]), storeWithin)
      })
    )
  })
