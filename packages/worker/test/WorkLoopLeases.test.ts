import { describe, it } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { HeldLease } from "@switchboard/services/queues/HeldLease"
import { type LeaseHistory, type Leases, maxTakeovers, suspectAfter } from "@switchboard/services/queues/WorkQueue"
import type { QueueWork, WorkLoopOptions } from "@switchboard/worker/QueueWork"
import { workLoop } from "@switchboard/worker/WorkLoop"
import { Deferred, Duration, Effect, Exit, Scope, TestClock } from "effect"
import { assert } from "vitest"
import { heldQueue, idsOf } from "./HeldQueue.js"

interface Item extends LeaseHistory {
  readonly id: string
}

const item = (id: string, takeovers = 0): Item => ({ id, takeovers, isRepeat: takeovers > 0 })

const organizationId = OrganizationId.make("01a1fc1d-cf9d-766f-8d6a-43d494c19441")

const options: WorkLoopOptions = {
  worker: "test",
  concurrency: 2,
  batch: 10,
  idle: Duration.hours(1),
  lease: Duration.minutes(1),
  grace: Duration.seconds(1)
}

/** Lets every fiber run until all of them wait for something. */
const settleDown = Effect.repeatN(Effect.yieldNow(), 200)

/** A loop over these items. Attempts end when `open` is called with their id; what happened is told in `log`. */
const looping = (
  ready: ReadonlyArray<Item>,
  given: Partial<QueueWork<string, Item, string>> & { readonly leases?: Partial<Leases> } = {},
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
      queue: {
        ...heldQueue,
        begin: (worker, entries, lease) =>
          Effect.zipRight(
            Effect.sync(() => log.push(`begin ${idsOf(entries)}`)),
            heldQueue.begin(worker, entries, lease)
          ),
        forgive: (entries) => Effect.sync(() => void log.push(`forgive ${idsOf(entries)}`)),
        release: (_, entries) => Effect.sync(() => void log.push(`release ${idsOf(entries)}`)),
        ...given.leases
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
      ...given
    }
    const scope = yield* Scope.make()
    yield* Scope.extend(workLoop(work, { ...options, idle, ownerShare: options.concurrency }), scope)
    yield* settleDown
    return {
      excepted,
      waiting,
      open: (id: string) => Effect.zipRight(Deferred.succeed(gates.get(id) ?? assert.fail(id), undefined), settleDown),
      stop: Scope.close(scope, Exit.void),
      /** What happened since the last look. */
      told: Effect.sync(() => log.splice(0))
    }
  })

describe("a work loop", () => {
  it.effect("begins those that leave the buffer together in one statement, and attempts only what is held", () =>
    Effect.gen(function* () {
      const { told } = yield* looping([item("a"), item("b")], {
        leases: { begin: () => Effect.succeed(new Set(["b"])) }
      })
      assert.deepStrictEqual(yield* told, ["attempt b"])
      const both = yield* looping([item("a"), item("b"), item("c")])
      assert.deepStrictEqual(yield* both.told, ["begin a,b", "attempt a", "attempt b"])
    })
  )

  it.effect("attempts a suspect alone, gives others their turn, and gives up at the limit of takeovers", () =>
    Effect.gen(function* () {
      const { open, told } = yield* looping([
        item("a"),
        item("suspect", suspectAfter),
        item("b"),
        item("end", maxTakeovers),
        item("c")
      ])
      assert.deepStrictEqual(yield* told, ["begin a,b", "attempt a", "attempt b"])
      yield* open("a")
      yield* TestClock.adjust("2 seconds")
      yield* open("b")
      assert.deepStrictEqual(yield* told, ["done a", "done b", "begin suspect", "attempt suspect"])
      yield* open("suspect")
      assert.deepStrictEqual(yield* told, ["done suspect", "begin c", "attempt c"])
      // As long as they had to wait.
      yield* TestClock.adjust("2 seconds")
      yield* settleDown
      yield* open("c")
      assert.deepStrictEqual(yield* told, ["done c", "begin end", "given up end"])
    })
  )

  it.effect("lets no suspect keep others waiting for long, and counts no takeover of it after that", () =>
    Effect.gen(function* () {
      const { open, told } = yield* looping([item("suspect", 3), item("a"), item("b"), item("c")])
      yield* open("a")
      yield* open("b")
      yield* told
      yield* TestClock.adjust("15 seconds")
      yield* settleDown
      assert.sameMembers([...(yield* told)], ["begin c", "attempt c", "forgive suspect"])
    })
  )

  it.effect("drops what another worker took from its buffer, and takes back that it was lost in an attempt", () =>
    Effect.gen(function* () {
      const { open, stop, told } = yield* looping([item("a"), item("b"), item("c")], {
        leases: { renew: () => Effect.succeed(new Set(["b"])) }
      })
      yield* told
      yield* TestClock.adjust("20 seconds")
      yield* settleDown
      assert.deepStrictEqual(yield* told, ["forgive a"])
      yield* TestClock.adjust("20 seconds")
      yield* open("a")
      yield* open("b")
      assert.deepStrictEqual(yield* told, ["done a", "done b"])
      yield* stop
    })
  )

  it.effect("tells an attempt that its lease may have run out, and never takes what it has a result for", () =>
    Effect.gen(function* () {
      const asked: Array<boolean> = []
      const down = Effect.never
      const { excepted, stop } = yield* looping(
        [item("a")],
        {
          leases: { renew: () => down },
          attempt: () =>
            Effect.flatten(HeldLease).pipe(
              Effect.tap((isHeld) => Effect.sync(() => asked.push(isHeld))),
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
      assert.deepStrictEqual(asked, [true, false])
      assert.deepStrictEqual(excepted, [[], ["a"], ["a"]])
      yield* Effect.forkDaemon(stop)
    })
  )

  it.effect("stores the others when the database refuses an outcome, and a replacement of that one", () =>
    Effect.gen(function* () {
      const settled: Array<ReadonlyArray<string>> = []
      const { open, told } = yield* looping([item("a"), item("b")], {
        settle: (done) =>
          Effect.suspend(() => {
            settled.push(done)
            return done.includes("done a") ? Effect.die("refused") : Effect.void
          })
      })
      yield* open("a")
      yield* open("b")
      assert.deepStrictEqual(settled, [["done a"], ["replaced a"], ["done b"]])
      assert.deepStrictEqual(yield* told, ["begin a,b", "attempt a", "attempt b"])
    })
  )

  it.effect("splits a batch that the database refuses, and keeps an outcome that it refuses in every form", () =>
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

  it.effect("releases at its end what it did not begin, and what it could not end in time", () =>
    Effect.gen(function* () {
      const { stop, told } = yield* looping([item("a"), item("b"), item("c")])
      yield* told
      const closing = yield* Effect.fork(stop)
      yield* TestClock.adjust("1 second")
      yield* closing.await
      assert.deepStrictEqual(yield* told, ["release c,a,b"])
    })
  )
})
