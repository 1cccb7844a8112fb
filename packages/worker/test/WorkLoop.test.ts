import { describe, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { nextTurn } from "@switchboard/services/NextTurn"
import type { LeaseHistory } from "@switchboard/services/queues/WorkQueue"
import { neverPaused } from "@switchboard/services/testing/queues/NothingPaused"
import type { QueueWork, WorkLoopOptions } from "@switchboard/worker/QueueWork"
import { workLoop } from "@switchboard/worker/WorkLoop"
import {
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  FiberId,
  Queue,
  Scope,
  Stream,
  SubscriptionRef,
  TestClock
} from "effect"
import { assert } from "vitest"
import { heldQueue, idsOf } from "./HeldQueue.js"

interface Item extends LeaseHistory {
  readonly owner: string
  readonly id: string
}

const organizationId = OrganizationId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19441")

const items = (owner: string, count: number, leaseExpiries = 0): ReadonlyArray<Item> =>
  Array.from({ length: count }, (_, index) => ({
    owner,
    id: `${owner}${index}`,
    leaseExpiries,
    isRepeat: leaseExpiries > 0
  }))

const options: WorkLoopOptions = {
  worker: "test",
  concurrency: 5,
  batch: 10,
  idle: Duration.hours(1),
  lease: Duration.minutes(1),
  grace: Duration.seconds(10)
}

const down = new ServiceUnavailableError({ message: "down", retryAfterSeconds: 1 })

/**
 * A queue in memory. `begun` receives the id of each attempt at its start, `stored` each settled outcome, `takes` the
 * number of entries of each take. An attempt of `gated` ends when `open` is called.
 */
const inMemory = (ready: ReadonlyArray<Item>) =>
  Effect.gen(function* () {
    const waiting = [...ready]
    const begun = yield* Queue.unbounded<string>()
    const stored = yield* Queue.unbounded<string>()
    const wakes = yield* Queue.unbounded<string | null>()
    const renewed = yield* Queue.unbounded<ReadonlyArray<string>>()
    const takes: Array<number> = []
    const gates = new Map<string, Deferred.Deferred<void>>()
    const gate = (id: string) => {
      const known = gates.get(id) ?? Deferred.unsafeMake<void>(FiberId.none)
      gates.set(id, known)
      return known
    }
    const work: QueueWork<string, Item, string> = {
      name: "test",
      pause: neverPaused,
      queue: {
        ...heldQueue,
        renew: (worker, entries, lease) =>
          Effect.zipRight(Queue.offer(renewed, idsOf(entries)), heldQueue.renew(worker, entries, lease)),
        woken: Stream.fromQueue(wakes)
      },
      ownerOf: ({ owner }) => owner,
      keyOf: ({ id }) => ({ organizationId, id }),
      take: ({ limit, perOwner, capacity, skipped }) =>
        Effect.sync(() => {
          const taken: Array<Item> = []
          const counts = new Map<string, number>()
          for (const item of [...waiting]) {
            const count = counts.get(item.owner) ?? 0
            // Every item has the weight 1.
            const max = Math.min(limit, Math.max(1, capacity))
            if (taken.length === max || count === perOwner || skipped.includes(item.owner)) continue
            counts.set(item.owner, count + 1)
            taken.push(item)
            waiting.splice(waiting.indexOf(item), 1)
          }
          takes.push(taken.length)
          return taken
        }),
      admission: Effect.succeed(1_000),
      attempt: (item) => Effect.as(Queue.offer(begun, item.id), `done ${item.id}`),
      releaseUnbegun: (item) => Effect.succeed(`back ${item.id}`),
      giveUp: (item) => Effect.succeed(`given up ${item.id}`),
      replace: (item) => Effect.succeed(`replaced ${item.id}`),
      settle: (done) => Effect.asVoid(Queue.offerAll(stored, done))
    }
    /** Attempts that end when their gate is opened. */
    const gated: typeof work = {
      ...work,
      attempt: (item) =>
        Queue.offer(begun, item.id).pipe(Effect.zipRight(Deferred.await(gate(item.id))), Effect.as(`done ${item.id}`))
    }
    const open = (...ids: ReadonlyArray<string>) =>
      Effect.forEach(ids, (id) => Deferred.succeed(gate(id), undefined), { discard: true })
    return { begun, gated, open, renewed, stored, takes, waiting, wakes, work }
  })

const next = <A>(queue: Queue.Dequeue<A>, count: number) =>
  Queue.takeBetween(queue, count, count).pipe(Effect.map((chunk) => [...chunk]))

/** What the queue has now. */
const all = <A>(queue: Queue.Dequeue<A>) => Effect.map(Queue.takeAll(queue), (chunk) => [...chunk])

/** Fails with an outage this number of times. `begun` completes at the first failure. */
const outages = (times: number) =>
  Effect.map(Deferred.make<void>(), (failed) => {
    let left = times
    const before = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.suspend((): Effect.Effect<A, E | ServiceUnavailableError, R> => {
        if (left === 0) return effect
        left -= 1
        return Effect.zipRight(Deferred.succeed(failed, undefined), Effect.fail(down))
      })
    return { before, begun: Deferred.await(failed) }
  })

/** Starts a loop in its own scope, and returns the effect that closes it; the test closes it at its end. */
const startLoop = (work: QueueWork<string, Item, string>, selected: Partial<WorkLoopOptions> = {}) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Scope.extend(workLoop(work, { ...options, ...selected }), scope)
    const stop = Scope.close(scope, Exit.void)
    yield* Effect.addFinalizer(() => stop)
    return stop
  })

/** Runs all fibers until each of them waits. */
const settleDown = Effect.repeatN(Effect.zipRight(nextTurn, Effect.repeatN(Effect.yieldNow(), 10)), 20)

/** Advances by `roundInterval`. */
const nextRound = Effect.zipRight(TestClock.adjust("20 millis"), settleDown)

describe("workLoop", () => {
  it.scoped("stores the progress of entries that are attempted for long, once per lease", () =>
    Effect.gen(function* () {
      const { begun, gated, open, stored } = yield* inMemory([...items("a", 2), ...items("b", 1)])
      const shown = yield* Queue.unbounded<string>()
      const storeProgress = (entries: ReadonlyArray<Item>) =>
        Effect.asVoid(
          Queue.offerAll(
            shown,
            entries.map(({ id }) => id)
          )
        )
      yield* startLoop({ ...gated, storeProgress })
      yield* next(begun, 3)
      yield* open("a0")
      assert.deepStrictEqual(yield* next(stored, 1), ["done a0"])
      yield* TestClock.adjust("499 millis")
      yield* settleDown
      assert.strictEqual(yield* Queue.size(shown), 0)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual((yield* next(shown, 2)).sort(), ["a1", "b0"])
      yield* TestClock.adjust("5 seconds")
      yield* settleDown
      assert.strictEqual(yield* Queue.size(shown), 0)
      yield* open("a1", "b0")
      assert.deepStrictEqual((yield* next(stored, 2)).sort(), ["done a1", "done b0"])
    })
  )

  it.scoped("stores outcomes if the progress can't be stored", () =>
    Effect.gen(function* () {
      const { begun, gated, open, stored } = yield* inMemory(items("a", 1))
      yield* startLoop({ ...gated, storeProgress: () => down })
      yield* next(begun, 1)
      yield* TestClock.adjust("1 seconds")
      yield* settleDown
      yield* open("a0")
      assert.deepStrictEqual(yield* next(stored, 1), ["done a0"])
    })
  )

  it.scoped("holds entries up to the maximum weight, and takes more once outcomes are stored", () =>
    Effect.gen(function* () {
      const { begun, gated, open, stored, wakes } = yield* inMemory([...items("a", 5), ...items("b", 1)])
      yield* startLoop({ ...gated, weight: { of: () => 1, max: 3 } })
      yield* settleDown
      assert.deepStrictEqual(yield* all(begun), ["a0", "a1", "a2"])
      yield* Queue.offer(wakes, null)
      yield* settleDown
      assert.deepStrictEqual(yield* all(begun), [])
      yield* open("a1")
      yield* nextRound
      yield* nextRound
      assert.deepStrictEqual(yield* all(begun), ["a3"])
      yield* open("a0", "a2", "a3")
      yield* nextRound
      assert.deepStrictEqual(yield* all(begun), ["a4", "b0"])
      yield* open("a4", "b0")
      assert.strictEqual((yield* next(stored, 6)).length, 6)
    })
  )

  it.scoped("takes an entry above the maximum weight while it holds no other", () =>
    Effect.gen(function* () {
      const { begun, gated, open, stored } = yield* inMemory(items("a", 2))
      yield* startLoop({ ...gated, weight: { of: () => 1, max: 0.5 } })
      for (const id of ["a0", "a1"]) {
        yield* settleDown
        assert.deepStrictEqual(yield* all(begun), [id])
        yield* open(id)
      }
      assert.deepStrictEqual(yield* next(stored, 2), ["done a0", "done a1"])
    })
  )

  it.scoped("takes weightless entries without capacity, and does not take again before capacity is freed", () =>
    Effect.gen(function* () {
      const { begun, gated, open, takes, wakes } = yield* inMemory([...items("heavy", 3), ...items("light", 1)])
      const of = ({ owner }: Item) => (owner === "heavy" ? 1 : 0)
      yield* startLoop({
        ...gated,
        weight: { of, max: 2, hasWeightless: true },
        take: (request) =>
          Effect.gen(function* () {
            if (request.capacity > 0) return yield* gated.take({ ...request, skipped: ["light"] })
            // As a release does: it wakes all workers.
            yield* Queue.offer(wakes, null)
            return yield* gated.take({ ...request, skipped: ["heavy"] })
          })
      })
      yield* settleDown
      assert.deepStrictEqual(yield* all(begun), ["heavy0", "heavy1"])
      yield* Queue.offer(wakes, null)
      yield* nextRound
      assert.deepStrictEqual(yield* all(begun), ["light0"])
      assert.lengthOf(takes, 2)
      yield* open("heavy0")
      yield* nextRound
      yield* nextRound
      assert.deepStrictEqual(yield* all(begun), ["heavy2"])
      yield* open("heavy1", "heavy2", "light0")
    })
  )

  it.scoped("begins several entries in one statement while others are attempted", () =>
    Effect.gen(function* () {
      const { begun, gated, open } = yield* inMemory(["a", "b", "c"].flatMap((owner) => items(owner, 12)))
      const rounds: Array<number> = []
      const begin: typeof gated.queue.begin = (worker, entries, lease) => {
        rounds.push(entries.length)
        return gated.queue.begin(worker, entries, lease)
      }
      yield* startLoop({ ...gated, queue: { ...gated.queue, begin } }, { concurrency: 12, batch: 40 })
      yield* next(begun, 12)
      yield* Effect.forEach(["a0", "b0", "c0", "a1"], (id) => Effect.zipRight(open(id), settleDown))
      assert.deepStrictEqual(rounds, [12])
      // Half of the slots of one owner are enough: of twelve slots it has nine.
      yield* open("b1")
      yield* next(begun, 5)
      yield* open("c1")
      yield* settleDown
      assert.deepStrictEqual(rounds, [12, 5])
      // The end of the round interval is enough.
      yield* nextRound
      assert.deepStrictEqual(rounds, [12, 5, 1])
      yield* open(...["a", "b", "c"].flatMap((owner) => items(owner, 12)).map(({ id }) => id))
    })
  )

  it.scoped("begins the only entry of an owner at once, beside the backlog of another", () =>
    Effect.gen(function* () {
      const { begun, gated, open, waiting, wakes } = yield* inMemory(items("busy", 40))
      yield* startLoop(gated, { concurrency: 20, batch: 40 })
      yield* next(begun, 16)
      yield* open("busy0")
      yield* settleDown
      // The free slot waits for others of the round.
      assert.strictEqual(yield* Queue.size(begun), 0)
      waiting.push(...items("quiet", 1))
      yield* Queue.offer(wakes, null)
      assert.sameMembers(yield* next(begun, 2), ["busy16", "quiet0"])
      yield* open(...[...items("busy", 40), ...items("quiet", 1)].map(({ id }) => id))
    })
  )

  it.scoped("returns the buffered entries of a paused owner, and takes them after the pause", () =>
    Effect.gen(function* () {
      const { gated, open, stored, waiting } = yield* inMemory([...items("a", 6), ...items("b", 1)])
      const paused = yield* SubscriptionRef.make<ReadonlyArray<string>>([])
      const requests: Array<ReadonlyArray<string>> = []
      yield* startLoop(
        {
          ...gated,
          take: (request) => {
            requests.push(request.skipped)
            return gated.take(request)
          },
          pause: {
            pausedOwners: paused,
            pausedDomains: Effect.succeed([]),
            isPaused: Effect.map(paused, (owners) => (owner) => owners.includes(owner)),
            changes: Stream.map(paused.changes, () => undefined)
          }
        },
        { concurrency: 2 }
      )
      yield* settleDown
      yield* SubscriptionRef.set(paused, ["a"])
      // The attempt that has begun ends.
      yield* open("a0")
      yield* open("b0")
      yield* settleDown
      yield* nextRound
      const results = (yield* all(stored)).sort()
      assert.deepStrictEqual(results, ["back a1", "back a2", "back a3", "back a4", "back a5", "done a0", "done b0"])
      waiting.push(...items("a", 1))
      yield* open("a0")
      assert.deepStrictEqual(requests.at(-1), ["a"])
      yield* SubscriptionRef.set(paused, [])
      assert.deepStrictEqual(yield* next(stored, 1), ["done a0"])
    })
  )

  it.scoped("takes the entries of one owner again once few are left, without a take for others before it", () =>
    Effect.gen(function* () {
      const { gated, open, stored, takes } = yield* inMemory(items("a", 25))
      yield* startLoop(gated, { concurrency: 2 })
      for (const { id } of items("a", 25)) {
        yield* settleDown
        yield* nextRound
        yield* open(id)
      }
      assert.lengthOf(yield* next(stored, 25), 25)
      assert.deepStrictEqual(takes, [10, 10, 5])
    })
  )

  it.scoped.each([
    { owner: "a", takes: [10] },
    { owner: "b", takes: [10, 0] }
  ])("takes again after a notification during a take, unless its owner has enough entries: $owner", (expected) =>
    Effect.gen(function* () {
      const { gated, takes, wakes } = yield* inMemory(items("a", 10))
      const sent = yield* Deferred.make<void>()
      const isNotified = yield* Deferred.make<void>()
      const take: typeof gated.take = (request) =>
        Deferred.succeed(sent, undefined).pipe(
          Effect.zipRight(Deferred.await(isNotified)),
          Effect.zipRight(gated.take(request))
        )
      const stop = yield* startLoop({ ...gated, take }, { concurrency: 2 })
      yield* Deferred.await(sent)
      yield* Queue.offer(wakes, expected.owner)
      yield* settleDown
      yield* Deferred.succeed(isNotified, undefined)
      yield* settleDown
      assert.deepStrictEqual(takes, expected.takes)
      const closing = yield* Effect.fork(stop)
      yield* settleDown
      yield* TestClock.adjust(options.grace)
      yield* Fiber.join(closing)
    })
  )

  it.scoped("keeps slots free for other owners", () =>
    Effect.gen(function* () {
      const { begun, gated, open, waiting, wakes } = yield* inMemory(items("a", 9))
      yield* startLoop(gated)
      assert.deepStrictEqual(yield* next(begun, 4), ["a0", "a1", "a2", "a3"])
      yield* settleDown
      assert.strictEqual(yield* Queue.size(begun), 0)
      waiting.push(...items("b", 1))
      yield* Queue.offer(wakes, null)
      yield* nextRound
      assert.deepStrictEqual(yield* next(begun, 1), ["b0"])
      yield* open("b0", ...items("a", 9).map(({ id }) => id))
    })
  )

  it.scoped("limits concurrent attempts", () =>
    Effect.gen(function* () {
      const { stored, work } = yield* inMemory(["a", "b", "c", "d"].flatMap((owner) => items(owner, 5)))
      let now = 0
      let max = 0
      const counting: typeof work = {
        ...work,
        attempt: (item) =>
          Effect.gen(function* () {
            now += 1
            max = Math.max(max, now)
            yield* Effect.yieldNow()
            now -= 1
            return item.id
          })
      }
      yield* startLoop(counting, { concurrency: 3 })
      yield* next(stored, 20)
      assert.strictEqual(max, 3)
    })
  )

  it.scoped("starts a few attempts in each turn of the event loop, and all that have begun when it stops", () =>
    Effect.gen(function* () {
      const { begun, gated, open } = yield* inMemory(items("a", 16))
      const stop = yield* startLoop(gated, { concurrency: 16, batch: 16, ownerShare: 16 })
      const one = yield* Queue.take(begun)
      const started = [1 + (yield* Queue.size(begun))]
      while (started.length < 3) {
        yield* nextTurn
        started.push(1 + (yield* Queue.size(begun)))
      }
      const stopping = yield* Effect.fork(stop)
      const others = yield* next(begun, 15)
      yield* open(one, ...others)
      yield* Fiber.join(stopping)
      assert.isAtMost(Math.max(...started.map((count, turn) => count - (started[turn - 1] ?? 0))), 4)
      assert.isBelow(started.at(-1) ?? 0, 16)
    })
  )

  it.scoped("processes a backlog of many batches of one owner without waiting", () =>
    Effect.gen(function* () {
      const { stored, work } = yield* inMemory(items("a", 60))
      // Yields as a real attempt does.
      const yielding: typeof work = { ...work, attempt: ({ id }) => Effect.as(Effect.yieldNow(), id) }
      yield* startLoop(yielding)
      yield* settleDown
      yield* settleDown
      yield* settleDown
      // The clock has not moved: entries that are missing here would wait for `idle`.
      assert.strictEqual(yield* Queue.size(stored), 60)
    })
  )

  it.scoped.each([
    { when: "it is notified", change: "notification" },
    { when: "the idle time is over", change: options.idle }
  ] as const)("takes entries when $when", ({ change }) =>
    Effect.gen(function* () {
      const { stored, waiting, wakes, work } = yield* inMemory([])
      yield* startLoop(work)
      yield* settleDown
      waiting.push(...items("a", 1))
      yield* change === "notification" ? Queue.offer(wakes, null) : TestClock.adjust(change)
      assert.deepStrictEqual(yield* next(stored, 1), ["done a0"])
    })
  )

  it.scoped("takes new entries of an owner with enough buffered ones when they are needed", () =>
    Effect.gen(function* () {
      const { gated, open, stored, takes, waiting, wakes } = yield* inMemory(items("a", 9))
      yield* startLoop(gated)
      yield* settleDown
      const before = takes.length
      waiting.push(...items("a", 12).slice(9))
      yield* Queue.offer(wakes, "a")
      yield* settleDown
      assert.lengthOf(takes, before)
      // The clock has not moved by more than the rounds: entries that are missing here would wait for `idle`.
      yield* Effect.forEach(items("a", 12), ({ id }) => Effect.zipRight(open(id), nextRound))
      assert.strictEqual(yield* Queue.size(stored), 12)
    })
  )

  it.scoped("takes at most as many entries as are admitted", () =>
    Effect.gen(function* () {
      const { stored, work } = yield* inMemory(items("a", 6))
      const limits: Array<number> = []
      yield* startLoop({
        ...work,
        admission: Effect.succeed(2),
        take: (request) => {
          limits.push(request.limit)
          return work.take(request)
        }
      })
      yield* next(stored, 6)
      assert.isTrue(limits.every((limit) => limit === 2))
    })
  )

  it.scoped("takes again after an outage", () =>
    Effect.gen(function* () {
      const { stored, work } = yield* inMemory(items("a", 1))
      const outage = yield* outages(2)
      yield* startLoop({ ...work, take: (request) => outage.before(work.take(request)) })
      yield* outage.begun
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* next(stored, 1), ["done a0"])
    })
  )

  it.scoped("retries settling until the outcomes are stored, without a second attempt", () =>
    Effect.gen(function* () {
      const { begun, stored, work } = yield* inMemory(items("a", 2))
      const outage = yield* outages(3)
      yield* startLoop({ ...work, settle: (done) => outage.before(work.settle(done)) })
      yield* outage.begun
      assert.strictEqual(yield* Queue.size(stored), 0)
      yield* Effect.repeatN(Effect.zipRight(TestClock.adjust("1 second"), settleDown), 6)
      assert.deepStrictEqual((yield* next(stored, 2)).sort(), ["done a0", "done a1"])
      assert.strictEqual(yield* Queue.size(begun), 2)
    })
  )

  it.scoped("renews the leases of held entries, but not of settled ones", () =>
    Effect.gen(function* () {
      const { begun, gated, open, renewed, stored } = yield* inMemory(items("a", 2))
      yield* startLoop(gated)
      yield* next(begun, 2)
      yield* open("a0")
      yield* next(stored, 1)
      yield* settleDown
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(yield* next(renewed, 1), [["a1"]])
      yield* open("a1")
      yield* next(stored, 1)
      yield* settleDown
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Queue.size(renewed), 0)
    })
  )
})

describe("workLoop when its scope closes", () => {
  it.scoped("waits for running attempts, and releases entries that were not begun", () =>
    Effect.gen(function* () {
      const { begun, gated, open, stored } = yield* inMemory(items("a", 4))
      const stop = yield* startLoop(gated, { concurrency: 2 })
      yield* next(begun, 1)
      const closing = yield* Effect.fork(stop)
      yield* settleDown
      assert.isNull(closing.unsafePoll())
      yield* open("a0")
      yield* Fiber.join(closing)
      const results = yield* all(stored)
      assert.deepStrictEqual(results.sort(), ["back a1", "back a2", "back a3", "done a0"])
      assert.strictEqual(yield* Queue.size(begun), 0)
    })
  )

  it.scoped("takes no more entries", () =>
    Effect.gen(function* () {
      const { begun, gated, open, stored, waiting, wakes } = yield* inMemory(items("a", 1))
      const stop = yield* startLoop(gated)
      yield* next(begun, 1)
      const closing = yield* Effect.fork(stop)
      yield* settleDown
      waiting.push(...items("b", 1))
      yield* Queue.offer(wakes, null)
      yield* open("a0")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(yield* next(stored, 1), ["done a0"])
      assert.strictEqual(waiting.length, 1)
    })
  )

  it.scoped("waits at most for its grace, and does not settle interrupted attempts", () =>
    Effect.gen(function* () {
      const { begun, gated, stored } = yield* inMemory(items("a", 2))
      const stop = yield* startLoop(gated, { concurrency: 1 })
      yield* next(begun, 1)
      const closing = yield* Effect.fork(stop)
      yield* settleDown
      yield* TestClock.adjust("9 seconds")
      assert.isNull(closing.unsafePoll())
      yield* TestClock.adjust("1 second")
      yield* settleDown
      assert.isNotNull(closing.unsafePoll())
      assert.deepStrictEqual(yield* all(stored), ["back a1"])
    })
  )

  it.scoped("stops within a time limit if outcomes can't be stored", () =>
    Effect.gen(function* () {
      const { work } = yield* inMemory(items("a", 2))
      const outage = yield* outages(Number.POSITIVE_INFINITY)
      const stop = yield* startLoop({ ...work, settle: (done) => outage.before(work.settle(done)) })
      yield* outage.begun
      const closing = yield* Effect.fork(stop)
      yield* settleDown
      yield* Effect.repeatN(Effect.zipRight(TestClock.adjust("1 second"), settleDown), 60)
      assert.isNotNull(closing.unsafePoll())
    })
  )
})

describe("an attempt that dies of a defect", () => {
  it.scoped("frees its slot and lets its lease expire", () =>
    Effect.gen(function* () {
      const { begun, renewed, work } = yield* inMemory(items("a", 3))
      const stop = yield* startLoop(
        {
          ...work,
          attempt: (item) =>
            item.id === "a0" ? Effect.die("a defect") : Effect.zipRight(Queue.offer(begun, item.id), Effect.never)
        },
        { concurrency: 1, grace: Duration.zero }
      )
      yield* settleDown
      assert.deepStrictEqual(yield* all(begun), ["a1"])
      yield* TestClock.adjust("20 seconds")
      assert.notInclude((yield* next(renewed, 1)).flat(), "a0")
      yield* Effect.forkDaemon(stop)
    })
  )
})
