import { describe, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { LeaseHistory } from "@switchboard/services/queues/WorkQueue"
import type { QueueWork, WorkLoopOptions } from "@switchboard/worker/QueueWork"
import { workLoop } from "@switchboard/worker/WorkLoop"
import { Deferred, Duration, Effect, Exit, Fiber, FiberId, Queue, Scope, Stream, TestClock } from "effect"
import { assert } from "vitest"
import { heldQueue, idsOf } from "./HeldQueue.js"

interface Item extends LeaseHistory {
  readonly owner: string
  readonly id: string
}

const organizationId = OrganizationId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19441")

const items = (owner: string, count: number, takeovers = 0): ReadonlyArray<Item> =>
  Array.from({ length: count }, (_, index) => ({
    owner,
    id: `${owner}${index}`,
    takeovers,
    isRepeat: takeovers > 0
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
 * Work in memory. Every attempt begins with a word in `begun` and ends when it is told to, or at once; every settled
 * result is told in `stored`.
 */
const inMemory = (ready: ReadonlyArray<Item>) =>
  Effect.gen(function* () {
    const waiting = [...ready]
    const begun = yield* Queue.unbounded<Item>()
    const stored = yield* Queue.unbounded<string>()
    const wakes = yield* Queue.unbounded<void>()
    const renewed = yield* Queue.unbounded<ReadonlyArray<string>>()
    const gates = new Map<string, Deferred.Deferred<void>>()
    const gate = (id: string) => {
      const known = gates.get(id) ?? Deferred.unsafeMake<void>(FiberId.none)
      gates.set(id, known)
      return known
    }
    const work: QueueWork<string, Item, string> = {
      name: "test",
      queue: {
        ...heldQueue,
        renew: (worker, entries, lease) =>
          Effect.zipRight(Queue.offer(renewed, idsOf(entries)), heldQueue.renew(worker, entries, lease)),
        woken: Stream.fromQueue(wakes)
      },
      ownerOf: ({ owner }) => owner,
      keyOf: ({ id }) => ({ organizationId, id }),
      take: ({ limit, perOwner, room, saturated }) =>
        Effect.sync(() => {
          const taken: Array<Item> = []
          const counts = new Map<string, number>()
          for (const item of [...waiting]) {
            const count = counts.get(item.owner) ?? 0
            // Every item weighs one.
            const most = Math.min(limit, Math.max(1, room))
            if (taken.length === most || count === perOwner || saturated.includes(item.owner)) continue
            counts.set(item.owner, count + 1)
            taken.push(item)
            waiting.splice(waiting.indexOf(item), 1)
          }
          return taken
        }),
      admission: Effect.succeed(1_000),
      attempt: (item) => Effect.as(Queue.offer(begun, item), `done ${item.id}`),
      handBack: (item) => Effect.succeed(`back ${item.id}`),
      giveUp: (item) => Effect.succeed(`given up ${item.id}`),
      replace: (item) => Effect.succeed(`replaced ${item.id}`),
      settle: (done) => Effect.asVoid(Queue.offerAll(stored, done))
    }
    /** Attempts that end when their gate is opened. */
    const gated: typeof work = {
      ...work,
      attempt: (item) =>
        Queue.offer(begun, item).pipe(Effect.zipRight(Deferred.await(gate(item.id))), Effect.as(`done ${item.id}`))
    }
    const open = (id: string) => Deferred.succeed(gate(id), undefined)
    return { begun, gated, open, renewed, stored, waiting, wakes, work }
  })

const next = <A>(queue: Queue.Dequeue<A>, count: number) =>
  Queue.takeBetween(queue, count, count).pipe(Effect.map((chunk) => [...chunk]))

/** A loop in a scope of its own, which the test closes. */
const startLoop = (work: QueueWork<string, Item, string>, chosen: Partial<WorkLoopOptions> = {}) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Scope.extend(workLoop(work, { ...options, ...chosen }), scope)
    return Scope.close(scope, Exit.void)
  })

/** Lets every fiber run until all of them wait for something. */
const settleDown = Effect.repeatN(Effect.yieldNow(), 200)

describe("a work loop", () => {
  it.effect("does and settles everything that is ready", () =>
    Effect.gen(function* () {
      const { stored, work } = yield* inMemory([...items("a", 3), ...items("b", 2)])
      const stop = yield* startLoop(work)
      const results = yield* next(stored, 5)
      assert.deepStrictEqual(results.sort(), ["done a0", "done a1", "done a2", "done b0", "done b1"])
      yield* stop
    })
  )

  it.effect("holds no more than it has room for, and goes on as soon as something is stored", () =>
    Effect.gen(function* () {
      const { begun, gated, open, stored, wakes } = yield* inMemory([...items("a", 5), ...items("b", 1)])
      const stop = yield* startLoop({ ...gated, weight: { of: () => 1, most: 3 } })
      const ids = Effect.map(Queue.takeAll(begun), (some) => [...some].map(({ id }) => id))
      yield* settleDown
      assert.deepStrictEqual(yield* ids, ["a0", "a1", "a2"])
      yield* Queue.offer(wakes, undefined)
      yield* settleDown
      assert.deepStrictEqual(yield* ids, [])
      yield* open("a1")
      yield* settleDown
      assert.deepStrictEqual(yield* ids, ["a3"])
      yield* Effect.forEach(["a0", "a2", "a3"], open)
      yield* settleDown
      assert.deepStrictEqual(yield* ids, ["a4", "b0"])
      yield* Effect.forEach(["a4", "b0"], open)
      assert.strictEqual((yield* next(stored, 6)).length, 6)
      yield* stop
    })
  )

  it.effect("takes what is heavier than all it may hold when it holds nothing else", () =>
    Effect.gen(function* () {
      const { begun, gated, open, stored } = yield* inMemory(items("a", 2))
      const stop = yield* startLoop({ ...gated, weight: { of: () => 1, most: 0.5 } })
      for (const id of ["a0", "a1"]) {
        yield* settleDown
        assert.deepStrictEqual(
          (yield* Queue.takeAll(begun)).pipe((some) => [...some].map((item) => item.id)),
          [id]
        )
        yield* open(id)
      }
      assert.deepStrictEqual(yield* next(stored, 2), ["done a0", "done a1"])
      yield* stop
    })
  )

  it.effect("takes what weighs nothing while there is no room, and does not look again for what it gives back", () =>
    Effect.gen(function* () {
      const { begun, gated, open, wakes } = yield* inMemory([...items("heavy", 3), ...items("light", 1)])
      const of = ({ owner }: Item) => (owner === "heavy" ? 1 : 0)
      let takes = 0
      const stop = yield* startLoop({
        ...gated,
        weight: { of, most: 2, someWeighNothing: true },
        take: (request) =>
          Effect.gen(function* () {
            takes++
            if (request.room > 0) return yield* gated.take({ ...request, saturated: ["light"] })
            // As giving back does: everybody hears that there is something.
            yield* Queue.offer(wakes, undefined)
            return yield* gated.take({ ...request, saturated: ["heavy"] })
          })
      })
      yield* settleDown
      assert.deepStrictEqual(
        (yield* Queue.takeAll(begun)).pipe((some) => [...some].map(({ id }) => id)),
        ["heavy0", "heavy1"]
      )
      yield* Queue.offer(wakes, undefined)
      yield* settleDown
      assert.deepStrictEqual(
        (yield* Queue.takeAll(begun)).pipe((some) => [...some].map(({ id }) => id)),
        ["light0"]
      )
      assert.strictEqual(takes, 2)
      yield* open("heavy0")
      yield* settleDown
      assert.deepStrictEqual(
        (yield* Queue.takeAll(begun)).pipe((some) => [...some].map(({ id }) => id)),
        ["heavy2"]
      )
      yield* Effect.forEach(["heavy1", "heavy2", "light0"], open)
      yield* stop
    })
  )

  it.effect("gives out one owner after the other", () =>
    Effect.gen(function* () {
      const { begun, gated, open } = yield* inMemory([...items("a", 6), ...items("b", 2)])
      const stop = yield* startLoop(gated, { concurrency: 2 })
      // One place for each: a share of 0.8 of two places is one.
      assert.deepStrictEqual(
        (yield* next(begun, 2)).map(({ id }) => id),
        ["a0", "b0"]
      )
      yield* open("b0")
      assert.deepStrictEqual(
        (yield* next(begun, 1)).map(({ id }) => id),
        ["b1"]
      )
      yield* open("a0")
      assert.deepStrictEqual(
        (yield* next(begun, 1)).map(({ id }) => id),
        ["a1"]
      )
      yield* open("a1")
      const closing = yield* Effect.fork(stop)
      yield* Effect.forEach(["b1", "a2"], open)
      yield* Fiber.join(closing)
    })
  )

  it.effect("keeps places free for others, however much one owner has", () =>
    Effect.gen(function* () {
      const { begun, gated, open, waiting, wakes } = yield* inMemory(items("a", 9))
      const stop = yield* startLoop(gated)
      assert.deepStrictEqual(
        (yield* next(begun, 4)).map(({ id }) => id),
        ["a0", "a1", "a2", "a3"]
      )
      yield* settleDown
      assert.strictEqual(yield* Queue.size(begun), 0)
      waiting.push(...items("b", 1))
      yield* Queue.offer(wakes, undefined)
      assert.deepStrictEqual(
        (yield* next(begun, 1)).map(({ id }) => id),
        ["b0"]
      )
      yield* Effect.forEach(["a0", "a1", "a2", "a3", "b0"], open)
      yield* Effect.forEach(["a4", "a5", "a6", "a7", "a8"], open)
      yield* stop
    })
  )

  it.effect("never attempts more at a time than it has places", () =>
    Effect.gen(function* () {
      const { stored, work } = yield* inMemory(["a", "b", "c", "d"].flatMap((owner) => items(owner, 5)))
      let now = 0
      let most = 0
      const counting: typeof work = {
        ...work,
        attempt: (item) =>
          Effect.gen(function* () {
            now += 1
            most = Math.max(most, now)
            yield* Effect.yieldNow()
            now -= 1
            return item.id
          })
      }
      const stop = yield* startLoop(counting, { concurrency: 3 })
      yield* next(stored, 20)
      assert.strictEqual(most, 3)
      yield* stop
    })
  )

  it.effect("works off a backlog of many batches of one owner without waiting", () =>
    Effect.gen(function* () {
      const { stored, work } = yield* inMemory(items("a", 60))
      // As long as a real attempt: others get their turn meanwhile.
      const yielding: typeof work = { ...work, attempt: ({ id }) => Effect.as(Effect.yieldNow(), id) }
      const stop = yield* startLoop(yielding)
      yield* settleDown
      yield* settleDown
      yield* settleDown
      // Nothing has moved the clock: whatever is missing here waits for `idle`.
      assert.strictEqual(yield* Queue.size(stored), 60)
      yield* stop
    })
  )

  it.effect("hears that something became ready", () =>
    Effect.gen(function* () {
      const { stored, waiting, wakes, work } = yield* inMemory([])
      const stop = yield* startLoop(work)
      yield* settleDown
      waiting.push(...items("a", 1))
      yield* Queue.offer(wakes, undefined)
      assert.deepStrictEqual(yield* next(stored, 1), ["done a0"])
      yield* stop
    })
  )

  it.effect("looks by itself when it has heard nothing for a while", () =>
    Effect.gen(function* () {
      const { stored, waiting, work } = yield* inMemory([])
      const stop = yield* startLoop(work)
      yield* settleDown
      waiting.push(...items("a", 1))
      yield* TestClock.adjust(options.idle)
      assert.deepStrictEqual(yield* next(stored, 1), ["done a0"])
      yield* stop
    })
  )

  it.effect("takes no more than is admitted", () =>
    Effect.gen(function* () {
      const { stored, work } = yield* inMemory(items("a", 6))
      const limits: Array<number> = []
      const stop = yield* startLoop({
        ...work,
        admission: Effect.succeed(2),
        take: (request) => {
          limits.push(request.limit)
          return work.take(request)
        }
      })
      yield* next(stored, 6)
      assert.isTrue(limits.every((limit) => limit === 2))
      yield* stop
    })
  )

  it.effect("tries to take again after an outage", () =>
    Effect.gen(function* () {
      const { stored, work } = yield* inMemory(items("a", 1))
      const failed = yield* Deferred.make<void>()
      let outages = 2
      const stop = yield* startLoop({
        ...work,
        take: (request) => {
          if (outages === 0) return work.take(request)
          outages -= 1
          return Effect.zipRight(Deferred.succeed(failed, undefined), Effect.fail(down))
        }
      })
      yield* Deferred.await(failed)
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* next(stored, 1), ["done a0"])
      yield* stop
    })
  )

  it.effect("tries to settle until it is stored, and attempts nothing twice", () =>
    Effect.gen(function* () {
      const { begun, stored, work } = yield* inMemory(items("a", 2))
      const failed = yield* Deferred.make<void>()
      let outages = 3
      const stop = yield* startLoop({
        ...work,
        settle: (done) =>
          Effect.suspend(() => {
            if (outages === 0) return work.settle(done)
            outages -= 1
            return Effect.zipRight(Deferred.succeed(failed, undefined), Effect.fail(down))
          })
      })
      yield* Deferred.await(failed)
      assert.strictEqual(yield* Queue.size(stored), 0)
      yield* Effect.repeatN(Effect.zipRight(TestClock.adjust("1 second"), settleDown), 6)
      assert.deepStrictEqual((yield* next(stored, 2)).sort(), ["done a0", "done a1"])
      assert.strictEqual(yield* Queue.size(begun), 2)
      yield* stop
    })
  )

  it.effect("renews the leases of what it holds, and of nothing that is settled", () =>
    Effect.gen(function* () {
      const { begun, gated, open, renewed, stored } = yield* inMemory(items("a", 2))
      const stop = yield* startLoop(gated)
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
      yield* stop
    })
  )
})

describe("a work loop that stops", () => {
  it.effect("awaits what is in flight, and hands back what was not begun", () =>
    Effect.gen(function* () {
      const { begun, gated, open, stored } = yield* inMemory(items("a", 4))
      const stop = yield* startLoop(gated, { concurrency: 2 })
      yield* next(begun, 1)
      const closing = yield* Effect.fork(stop)
      yield* settleDown
      assert.isNull(closing.unsafePoll())
      yield* open("a0")
      yield* Fiber.join(closing)
      const results = [...(yield* Queue.takeAll(stored))]
      assert.deepStrictEqual(results.sort(), ["back a1", "back a2", "back a3", "done a0"])
      assert.strictEqual(yield* Queue.size(begun), 0)
    })
  )

  it.effect("takes nothing more", () =>
    Effect.gen(function* () {
      const { begun, gated, open, stored, waiting, wakes } = yield* inMemory(items("a", 1))
      const stop = yield* startLoop(gated)
      yield* next(begun, 1)
      const closing = yield* Effect.fork(stop)
      yield* settleDown
      waiting.push(...items("b", 1))
      yield* Queue.offer(wakes, undefined)
      yield* open("a0")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(yield* next(stored, 1), ["done a0"])
      assert.strictEqual(waiting.length, 1)
    })
  )

  it.effect("waits no longer than its grace, and neither settles nor hands back what may have been sent", () =>
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
      assert.deepStrictEqual([...(yield* Queue.takeAll(stored))], ["back a1"])
    })
  )

  it.effect("gives up after a while when nothing can be stored", () =>
    Effect.gen(function* () {
      const { work } = yield* inMemory(items("a", 2))
      const failed = yield* Deferred.make<void>()
      const stop = yield* startLoop({
        ...work,
        settle: () => Effect.zipRight(Deferred.succeed(failed, undefined), Effect.fail(down))
      })
      yield* Deferred.await(failed)
      const closing = yield* Effect.fork(stop)
      yield* settleDown
      yield* Effect.repeatN(Effect.zipRight(TestClock.adjust("1 second"), settleDown), 60)
      assert.isNotNull(closing.unsafePoll())
    })
  )
})

describe("an attempt that dies", () => {
  it.effect("frees its place and lets its lease run out", () =>
    Effect.gen(function* () {
      const { begun, renewed, work } = yield* inMemory(items("a", 3))
      const stop = yield* startLoop(
        {
          ...work,
          attempt: (item) =>
            item.id === "a0" ? Effect.die("a defect") : Effect.zipRight(Queue.offer(begun, item), Effect.never)
        },
        { concurrency: 1, grace: Duration.zero }
      )
      yield* settleDown
      assert.deepStrictEqual(
        [...(yield* Queue.takeAll(begun))].map(({ id }) => id),
        ["a1"]
      )
      yield* TestClock.adjust("20 seconds")
      assert.notInclude((yield* next(renewed, 1)).flat(), "a0")
      yield* Effect.forkDaemon(stop)
    })
  )
})
