import { assert, describe, it } from "@effect/vitest"
import { QueueDepths } from "@switchboard/services/queues/WorkQueue"
import { System, SystemInspection } from "@switchboard/services/system/System"
import { DateTime, Deferred, Effect, Fiber, Layer, Ref, TestClock } from "effect"

const depth = { queue: "message", ready: 1, leased: 0, waiting: 0, oldestSeconds: 2, isPaused: false } as const

/** The service with checks that wait until `finish` is done, and counts of what it read. */
const usual = {
  destination: "mx.example.com",
  connections: 2,
  maxConnections: 10,
  lastFailure: null,
  state: "closed",
  nextAttemptAt: null
} as const
const limited = { ...usual, destination: "mx.example.net", maxConnections: 1, lastFailure: "421 4.7.0 Slow down" }
const paused = { ...usual, destination: "mx.example.org", state: "half_open" } as const

const fixture = Effect.gen(function* () {
  const checks = yield* Ref.make(0)
  const reads = yield* Ref.make(0)
  const finish = yield* Deferred.make<void>()
  const Live = System.Default.pipe(
    Layer.provide(
      Layer.merge(
        Layer.mock(QueueDepths, {
          all: Effect.as(
            Ref.update(reads, (count) => count + 1),
            [depth]
          )
        }),
        Layer.succeed(SystemInspection, {
          version: "1.2.3",
          relays: Effect.succeed([
            { channel: "email" as const, relay: "relay.test:25", state: "closed" as const, nextAttemptAt: null }
          ]),
          destinations: Effect.succeed([usual, limited, paused]),
          check: Effect.zipRight(
            Deferred.await(finish),
            Effect.map(
              Ref.updateAndGet(checks, (count) => count + 1),
              (count) => [{ level: "ok", subject: `Check ${count}` } as const]
            )
          )
        })
      )
    )
  )
  const system = yield* Effect.provide(System, Live)
  return { checks, finish, reads, system }
})

describe("The state of the installation", () => {
  it.effect("has version, queues, relays and findings", () =>
    Effect.gen(function* () {
      const { finish, system } = yield* fixture
      yield* TestClock.setTime(new Date("2026-11-20T09:30:00Z"))
      yield* Deferred.succeed(finish, undefined)
      assert.deepStrictEqual(
        { ...(yield* system.status()) },
        {
          version: "1.2.3",
          queues: [depth],
          relays: [{ channel: "email", relay: "relay.test:25", state: "closed", nextAttemptAt: null }],
          destinations: [paused, limited, usual],
          findings: [{ level: "ok", subject: "Check 1" }],
          checkedAt: DateTime.unsafeMake("2026-11-20T09:30:00Z")
        }
      )
    })
  )

  it.effect("is checked once a minute, also by requests at the same time, and has the current queues", () =>
    Effect.gen(function* () {
      const { checks, finish, reads, system } = yield* fixture
      const waiting = yield* Effect.fork(Effect.replicateEffect(system.status(), 3, { concurrency: "unbounded" }))
      yield* Deferred.succeed(finish, undefined)
      yield* Fiber.join(waiting)
      yield* TestClock.adjust("59 seconds")
      yield* system.status()
      assert.deepStrictEqual([yield* Ref.get(checks), yield* Ref.get(reads)], [1, 4])
      yield* TestClock.adjust("2 seconds")
      const { findings } = yield* system.status()
      assert.deepStrictEqual(findings, [{ level: "ok", subject: "Check 2" }])
    })
  )

  it.effect("is checked to the end if the request is interrupted", () =>
    Effect.gen(function* () {
      const { checks, finish, system } = yield* fixture
      const interrupted = yield* Effect.fork(system.status())
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(interrupted)
      yield* Deferred.succeed(finish, undefined)
      const { findings } = yield* system.status()
      assert.deepStrictEqual(findings, [{ level: "ok", subject: "Check 1" }])
      assert.strictEqual(yield* Ref.get(checks), 1)
    })
  )
})
