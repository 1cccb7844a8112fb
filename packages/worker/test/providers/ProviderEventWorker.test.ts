import { assert, describe, it } from "@effect/vitest"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  ProcessEvents,
  type ProcessedEvent,
  ProviderEventQueue,
  type SettledEvent,
  type TakenEvent
} from "@switchboard/services/providers/ProviderEventQueue"
import { maxLeaseExpiries } from "@switchboard/services/queues/WorkQueue"
import { NothingPaused } from "@switchboard/services/testing/queues/NothingPaused"
import { ProviderEventWorker } from "@switchboard/worker/providers/ProviderEventWorker"
import { WorkerConfig } from "@switchboard/worker/QueueWork"
import { DateTime, Duration, Effect, Exit, Layer, Queue, Scope } from "effect"
import { heldQueue } from "../HeldQueue.js"

const id = (hex: string) => `00000000-0000-7000-8000-${hex.padStart(12, "0")}`

const event = (number: number, leaseExpiries = 0): TakenEvent => ({
  id: id(number.toString(16)),
  organizationId: OrganizationId.make(id("a")),
  event: {
    _tag: "Receipt",
    channel: "sms",
    providerMessageIds: [String(number)],
    phone: null,
    status: "delivered",
    at: "2026-01-01T00:00:00.000Z"
  },
  receivedAt: DateTime.unsafeMake(0),
  leaseExpiries,
  isRepeat: false
})

/** Starts a worker on a queue in memory, in a scope that the test closes. */
const working = (
  ready: ReadonlyArray<TakenEvent>,
  process: (taken: TakenEvent) => Effect.Effect<ProcessedEvent, ServiceUnavailableError>
) =>
  Effect.gen(function* () {
    const waiting = [...ready]
    const settled = yield* Queue.unbounded<SettledEvent>()
    const processed: Array<string> = []
    const queue = Layer.succeed(ProviderEventQueue, {
      ...heldQueue,
      take: ({ limit }) => Effect.sync(() => waiting.splice(0, limit)),
      settle: (_, done) => Effect.asVoid(Queue.offerAll(settled, done))
    })
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(
      ProviderEventWorker.pipe(
        Layer.provide(Layer.merge(queue, NothingPaused)),
        Layer.provide(
          Layer.succeed(ProcessEvents, {
            process: (taken) => {
              processed.push(taken.id)
              return process(taken)
            }
          })
        ),
        Layer.provide(
          Layer.succeed(WorkerConfig, {
            worker: "test",
            concurrency: 10,
            batch: 40,
            idle: Duration.hours(1),
            lease: Duration.minutes(1),
            grace: Duration.seconds(10)
          })
        )
      ),
      scope
    )
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    return { processed, settled }
  })

const outcomes = (settled: Queue.Dequeue<SettledEvent>, count: number) =>
  Effect.map(
    Queue.takeBetween(settled, count, count),
    (all) => new Map([...all].map(({ event, processed }) => [event.id, processed]))
  )

const done: ProcessedEvent = { _tag: "Done" }

describe("ProviderEventWorker", () => {
  it.scoped("settles the result of each event", () =>
    Effect.gen(function* () {
      const later: ProcessedEvent = { _tag: "Later", at: DateTime.unsafeMake("2026-11-20T10:00:00Z") }
      const { settled } = yield* working([event(1), event(2)], (taken) =>
        Effect.succeed(taken.id === id("1") ? done : later)
      )
      assert.deepStrictEqual(
        yield* outcomes(settled, 2),
        new Map<string, ProcessedEvent>([
          [id("1"), done],
          [id("2"), later]
        ])
      )
    })
  )

  it.scoped("processes an event again after the database was unavailable", () =>
    Effect.gen(function* () {
      const unavailable = new ServiceUnavailableError({
        message: "The database can't be reached",
        retryAfterSeconds: 1
      })
      const { settled } = yield* working([event(1)], () => Effect.fail(unavailable))
      const at = DateTime.addDuration(yield* DateTime.now, "5 seconds")
      assert.deepStrictEqual(yield* outcomes(settled, 1), new Map([[id("1"), { _tag: "Later", at }]]))
    })
  )

  it.scoped("abandons an event that crashed too many workers", () =>
    Effect.gen(function* () {
      const { processed, settled } = yield* working([event(1, maxLeaseExpiries)], () => Effect.succeed(done))
      assert.deepStrictEqual(yield* outcomes(settled, 1), new Map([[id("1"), done]]))
      assert.isEmpty(processed)
    })
  )
})
