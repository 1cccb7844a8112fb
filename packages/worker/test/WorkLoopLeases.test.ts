import { describe, it } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type LeaseHistory, type Leases, maxLeaseExpiries, suspectAfter } from "@switchboard/services/queues/WorkQueue"
import { neverPaused } from "@switchboard/services/testing/queues/NothingPaused"
import type { QueueWork, WorkLoopOptions } from "@switchboard/worker/QueueWork"
import { workLoop } from "@switchboard/worker/WorkLoop"
import { Deferred, Duration, Effect, Exit, Scope, TestClock } from "effect"
import { assert } from "vitest"
import { heldQueue, idsOf } from "./HeldQueue.js"

interface Item extends LeaseHistory {
  readonly id: string
}

const item = (id: string, leaseExpiries = 0): Item => ({ id, leaseExpiries, isRepeat: leaseExpiries > 0 })

const organizationId = OrganizationId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19441")

const options: WorkLoopOptions = {
  worker: "test",
  concurrency: 2,
  batch: 10,
  idle: Duration.hours(1),
  lease: Duration.minutes(1),
  grace: Duration.seconds(1)
}

/** Runs all fibers until each of them waits. */
const settleDown = Effect.repeatN(Effect.yieldNow(), 200)

/** Starts a loop over these items. An attempt ends when `open` is called with its id; `log` receives all calls. */
const looping = (
  ready: ReadonlyArray<Item>,
  overrides: Partial<QueueWork<string, Item, string>> & { readonly leases?: Partial<Leases> } = {},
  idle = options.idle
) =>
  Effect.gen(function* () {
    const log: Array<string> = []
    const waiting = [...ready]
    const excepted: Array<ReadonlyArray<string>> = []
    const gates = new Map<string, Deferred.Deferred<void>>()
    for (const { id } of ready) gates.set(id, yield* Deferred.make<void>())
    const work: QueueWork<string, Item, string> = {
      name: "test",
      pause: neverPaused,
      queue: {
        ...heldQueue,
        begin: (worker, entries, lease) =>
          Effect.zipRight(
            Effect.sync(() => log.push(`begin ${idsOf(entries)}`)),
            heldQueue.begin(worker, entries, lease)
          ),
        forgive: (entries) => Effect.sync(() => void log.push(`forgive ${idsOf(entries)}`)),
        release: (_, entries) => Effect.sync(() => void log.push(`release ${idsOf(entries)}`)),
        ...overrides.leases
      },
      ownerOf: () => "owner",
      keyOf: ({ id }) => ({ organizationId, id }),
      take: ({ except, limit }) =>
        Effect.sync(() => {
          excepted.push(except)
          return waiting.splice(0, limit)
        }),
      admission: Effect.succeed(10),
      attempt: ({ id }) =>
        Effect.sync(() => log.push(`attempt ${id}`)).pipe(
          Effect.zipRight(Deferred.await(gates.get(id) ?? assert.fail(id))),
          Effect.as(`done ${id}`)
        ),
      giveUp: ({ id }) => Effect.succeed(`given up ${id}`),
      replace: ({ id }) => Effect.succeed(`replaced ${id}`),
      settle: (done) => Effect.sync(() => void log.push(...done)),
      ...overrides
    }
    const scope = yield* Scope.make()
    yield* Scope.extend(workLoop(work, { ...options, idle, ownerShare: options.concurrency }), scope)
    yield* settleDown
    return {
      excepted,
      waiting,
      open: (id: string) => Effect.zipRight(Deferred.succeed(gates.get(id) ?? assert.fail(id), undefined), settleDown),
      stop: Scope.close(scope, Exit.void),
      /** The calls since the last read. */
      calls: Effect.sync(() => log.splice(0))
    }
  })

describe("the leases of workLoop", () => {
  it.effect("begins several entries in one statement, and attempts only those still held", () =>
    Effect.gen(function* () {
      const { calls } = yield* looping([item("a"), item("b")], {
        leases: { begin: () => Effect.succeed(new Set(["b"])) }
      })
      assert.deepStrictEqual(yield* calls, ["attempt b"])
      const both = yield* looping([item("a"), item("b"), item("c")])
      assert.deepStrictEqual(yield* both.calls, ["begin a,b", "attempt a", "attempt b"])
    })
  )

  it.effect(
    "attempts a suspect alone, alternates with other entries, and gives up at the limit of lease expiries",
    () =>
      Effect.gen(function* () {
        const { open, calls } = yield* looping([
          item("a"),
          item("suspect", suspectAfter),
          item("b"),
          item("end", maxLeaseExpiries),
          item("c")
        ])
        assert.deepStrictEqual(yield* calls, ["begin a,b", "attempt a", "attempt b"])
        yield* open("a")
        yield* TestClock.adjust("2 seconds")
        yield* open("b")
        assert.deepStrictEqual(yield* calls, ["done a", "done b", "begin suspect", "attempt suspect"])
        yield* open("suspect")
        assert.deepStrictEqual(yield* calls, ["done suspect", "begin c", "attempt c"])
        // For as long as they waited.
        yield* TestClock.adjust("2 seconds")
        yield* settleDown
        yield* open("c")
        assert.deepStrictEqual(yield* calls, ["done c", "begin end", "given up end"])
      })
  )

  it.effect("limits how long others wait for a suspect, and then does not count its lease expiry", () =>
    Effect.gen(function* () {
      const { open, calls } = yield* looping([item("suspect", 3), item("a"), item("b"), item("c")])
      yield* open("a")
      yield* open("b")
      yield* calls
      yield* TestClock.adjust("15 seconds")
      yield* settleDown
      assert.sameMembers([...(yield* calls)], ["begin c", "attempt c", "forgive suspect"])
    })
  )

  it.effect("drops buffered entries that another worker leased, and reverts the expiry of one being attempted", () =>
    Effect.gen(function* () {
      const { open, stop, calls } = yield* looping([item("a"), item("b"), item("c")], {
        leases: { renew: () => Effect.succeed(new Set(["b"])) }
      })
      yield* calls
      yield* TestClock.adjust("20 seconds")
      yield* settleDown
      assert.deepStrictEqual(yield* calls, ["forgive a"])
      yield* TestClock.adjust("20 seconds")
      yield* open("a")
      yield* open("b")
      assert.deepStrictEqual(yield* calls, ["done a", "done b"])
      yield* stop
    })
  )

  it.effect(
    "reports to an attempt that its lease may have expired, and never takes an entry it has an outcome for",
    () =>
      Effect.gen(function* () {
        const reported: Array<boolean> = []
        const down = Effect.never
        const { excepted, stop } = yield* looping(
          [item("a")],
          {
            leases: { renew: () => down },
            attempt: (_, isHeld) =>
              Effect.sync(() => reported.push(isHeld())).pipe(
                Effect.delay("50 seconds"),
                Effect.repeatN(1),
                Effect.as("done")
              ),
            settle: () => down
          },
          Duration.minutes(2)
        )
        yield* TestClock.adjust("4 minutes")
        yield* settleDown
        assert.deepStrictEqual(reported, [true, false])
        assert.deepStrictEqual(excepted, [[], ["a"], ["a"]])
        yield* Effect.forkDaemon(stop)
      })
  )

  it.effect("stores the other outcomes and a replacement when the database rejects one", () =>
    Effect.gen(function* () {
      const settled: Array<ReadonlyArray<string>> = []
      const { open, calls } = yield* looping([item("a"), item("b")], {
        settle: (done) =>
          Effect.suspend(() => {
            settled.push(done)
            return done.includes("done a") ? Effect.die("refused") : Effect.void
          })
      })
      yield* open("a")
      yield* open("b")
      assert.deepStrictEqual(settled, [["done a"], ["replaced a"], ["done b"]])
      assert.deepStrictEqual(yield* calls, ["begin a,b", "attempt a", "attempt b"])
    })
  )

  it.effect("splits a batch that the database rejects, and retries an outcome that is rejected in every form", () =>
    Effect.gen(function* () {
      const settled: Array<ReadonlyArray<string>> = []
      let refuses = true
      const isFirstStored = yield* Deferred.make<void>()
      const { open, stop } = yield* looping([item("first"), item("a"), item("b")], {
        settle: (done) =>
          Effect.suspend(() => {
            if (done.includes("done first")) return Deferred.await(isFirstStored)
            settled.push(done)
            return refuses && done.some((one) => one.endsWith("a")) ? Effect.die("refused") : Effect.void
          })
      })
      yield* Effect.forEach(["first", "a", "b"], open)
      yield* Deferred.succeed(isFirstStored, undefined)
      yield* settleDown
      assert.deepStrictEqual(settled, [["done a", "done b"], ["done a"], ["replaced a"], ["done b"]])
      refuses = false
      yield* TestClock.adjust("30 seconds")
      yield* settleDown
      assert.deepStrictEqual(settled.at(-1), ["replaced a"])
      yield* stop
      assert.lengthOf(settled, 5)
    })
  )

  it.effect("releases entries that did not begin or end in time", () =>
    Effect.gen(function* () {
      const { stop, calls } = yield* looping([item("a"), item("b"), item("c")])
      yield* calls
      const closing = yield* Effect.fork(stop)
      yield* TestClock.adjust("1 second")
      yield* closing.await
      assert.deepStrictEqual(yield* calls, ["release c", "release a,b"])
    })
  )
})
