import { assert, describe, it } from "@effect/vitest"
import { EventId } from "@switchboard/domain/events/EventType"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  beforeAllEvents,
  EventStream,
  type EventStreamRequest,
  maxStreams
} from "@switchboard/services/events/EventStream"
import { Array, Effect, Exit, Fiber, Scope, Stream, TestClock } from "effect"
import { v7 } from "uuid"
import { eventsInMemory } from "./EventsInMemory.js"

const mine = OrganizationId.make(v7())
const other = OrganizationId.make(v7())

const test = <A, E>(
  use: (events: ReturnType<typeof eventsInMemory>) => Effect.Effect<A, E, EventStream | Scope.Scope>
) => {
  const events = eventsInMemory()
  return use(events).pipe(Effect.provide(EventStream.Default), Effect.provide(events.layer))
}

const listen = (request: EventStreamRequest = {}, organization = mine) =>
  Effect.flatMap(EventStream, (stream) => stream.listen(organization, request))

/** Subscribes to new events, or to those after an event; collects the received ids. */
const collect = (request: EventStreamRequest = {}) =>
  Effect.gen(function* () {
    const received: Array<string> = []
    const { position, rounds } = yield* listen(request)
    const fiber = yield* Effect.forkScoped(
      Stream.runForEach(rounds, ({ events }) => Effect.sync(() => void received.push(...events.map(({ id }) => id))))
    )
    return { received, position, fiber }
  })

describe("EventStream", () => {
  it.scoped("starts at the latest event and emits new events within 300 milliseconds", () =>
    test(({ append }) =>
      Effect.gen(function* () {
        const [before] = yield* append(mine, "api_key.created")
        const { received, position } = yield* collect()
        assert.strictEqual(position, before)
        yield* TestClock.adjust("1 second")
        const ids = yield* append(mine, "api_key.rotated", "api_key.deleted")
        yield* append(other, "api_key.created")
        yield* TestClock.adjust("300 millis")
        assert.deepStrictEqual(received, ids)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(received, ids)
      })
    )
  )

  it.scoped("resumes after the given event, or from the oldest", () =>
    test(({ append }) =>
      Effect.gen(function* () {
        const empty = yield* collect()
        assert.strictEqual(empty.position, beforeAllEvents)
        const ids = yield* append(mine, "api_key.created", "api_key.rotated", "api_key.deleted")
        const resumed = yield* collect({ lastEventId: ids[0] })
        const fromStart = yield* collect({ lastEventId: beforeAllEvents })
        yield* TestClock.adjust("300 millis")
        assert.deepStrictEqual([empty.received, fromStart.received, resumed.received], [ids, ids, ids.slice(1)])
        assert.strictEqual(resumed.position, ids[0])
      })
    )
  )

  it.scoped("rejects a last event id that is unknown or of another organization", () =>
    test(({ append }) =>
      Effect.gen(function* () {
        const [theirs] = yield* append(other, "api_key.created")
        for (const lastEventId of [EventId.make(v7()), theirs]) {
          const error = yield* Effect.flip(listen({ lastEventId }))
          assert.strictEqual(error._tag, "BadRequestError")
          assert.include("message" in error ? error.message : "", `is not a known event: ${lastEventId}`)
        }
      })
    )
  )

  it.scoped("emits only subscribed types and reads further pages at once", () =>
    test(({ append, state }) =>
      Effect.gen(function* () {
        const ids = yield* append(
          mine,
          ...Array.makeBy(120, (at) => (at % 2 === 0 ? "api_key.created" : "organization.updated"))
        )
        const { received } = yield* collect({ lastEventId: beforeAllEvents, types: ["api_key.*"] })
        yield* TestClock.adjust("1 millis")
        assert.deepStrictEqual(
          received,
          ids.filter((_, at) => at % 2 === 0)
        )
        assert.strictEqual(state.reads, 3)
      })
    )
  )

  it.scoped("continues after an outage without missing events", () =>
    test(({ append, state }) =>
      Effect.gen(function* () {
        yield* append(mine, "api_key.created")
        const { fiber, received } = yield* collect()
        state.isUnavailable = true
        yield* TestClock.adjust("1 minute")
        assert.isAtMost(state.reads, 70)
        const ids = yield* append(mine, "api_key.created")
        state.isUnavailable = false
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(received, ids)
        assert.strictEqual((yield* Fiber.poll(fiber))._tag, "None")
      })
    )
  )

  it.scoped("skips events of deleted messages", () =>
    test(({ append }) =>
      Effect.gen(function* () {
        const { received } = yield* collect()
        const [, deleted = assert.fail("no event was stored")] = yield* append(mine, "message.sent", "api_key.created")
        yield* TestClock.adjust("300 millis")
        assert.deepStrictEqual(received, [deleted])
      })
    )
  )

  it.scoped(`limits an organization to ${maxStreams} streams and frees the slot of a closed stream`, () =>
    test(() =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        yield* Scope.extend(listen(), scope)
        yield* Effect.replicateEffect(listen(), maxStreams - 1)
        const error = yield* Effect.flip(Effect.scoped(listen()))
        assert.strictEqual(error._tag, "RateLimitedError")
        yield* listen({}, other)
        yield* Scope.close(scope, Exit.void)
        yield* listen()
        assert.strictEqual((yield* Effect.flip(Effect.scoped(listen())))._tag, "RateLimitedError")
      })
    )
  )
})
