import { assert, describe, it } from "@effect/vitest"
import { EventId } from "@switchboard/domain/events/EventType"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  beforeAllEvents,
  EventStream,
  type EventStreamRequest,
  mostStreams
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

/** Listens from now on, or from an event on; what it has heard so far. */
const hearing = (request: EventStreamRequest = {}) =>
  Effect.gen(function* () {
    const heard: Array<string> = []
    const { position, rounds } = yield* listen(request)
    const fiber = yield* Effect.forkScoped(
      Stream.runForEach(rounds, ({ events }) => Effect.sync(() => void heard.push(...events.map(({ id }) => id))))
    )
    return { heard, position, fiber }
  })

describe("A stream of events", () => {
  it.scoped("begins now, and tells each event within the third of a second", () =>
    test(({ happen }) =>
      Effect.gen(function* () {
        const [before] = yield* happen(mine, "api_key.created")
        const { heard, position } = yield* hearing()
        assert.strictEqual(position, before)
        yield* TestClock.adjust("1 second")
        const told = yield* happen(mine, "api_key.rotated", "api_key.deleted")
        yield* happen(other, "api_key.created")
        yield* TestClock.adjust("300 millis")
        assert.deepStrictEqual(heard, told)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(heard, told)
      })
    )
  )

  it.scoped("goes on after the event that was heard last, or at the oldest", () =>
    test(({ happen }) =>
      Effect.gen(function* () {
        const empty = yield* hearing()
        assert.strictEqual(empty.position, beforeAllEvents)
        const ids = yield* happen(mine, "api_key.created", "api_key.rotated", "api_key.deleted")
        const resumed = yield* hearing({ lastEventId: ids[0] })
        const whole = yield* hearing({ lastEventId: beforeAllEvents })
        yield* TestClock.adjust("300 millis")
        assert.deepStrictEqual([empty.heard, whole.heard, resumed.heard], [ids, ids, ids.slice(1)])
        assert.strictEqual(resumed.position, ids[0])
      })
    )
  )

  it.scoped("refuses to go on after an event that it does not know, as after another organization's", () =>
    test(({ happen }) =>
      Effect.gen(function* () {
        const [theirs] = yield* happen(other, "api_key.created")
        for (const lastEventId of [EventId.make(v7()), theirs]) {
          const error = yield* Effect.flip(listen({ lastEventId }))
          assert.strictEqual(error._tag, "BadRequestError")
          assert.include("message" in error ? error.message : "", `is not an event that is known: ${lastEventId}`)
        }
      })
    )
  )

  it.scoped("tells only what is subscribed to, and catches up at once with what is more than a page", () =>
    test(({ happen, state }) =>
      Effect.gen(function* () {
        const ids = yield* happen(
          mine,
          ...Array.makeBy(120, (at) => (at % 2 === 0 ? "api_key.created" : "organization.updated"))
        )
        const { heard } = yield* hearing({ lastEventId: beforeAllEvents, types: ["api_key.*"] })
        yield* TestClock.adjust("1 millis")
        assert.deepStrictEqual(
          heard,
          ids.filter((_, at) => at % 2 === 0)
        )
        assert.strictEqual(state.looks, 3)
      })
    )
  )

  it.scoped("outlasts a database that is away, and misses nothing of that time", () =>
    test(({ happen, state }) =>
      Effect.gen(function* () {
        yield* happen(mine, "api_key.created")
        const { fiber, heard } = yield* hearing()
        state.away = true
        yield* TestClock.adjust("1 minute")
        assert.isAtMost(state.looks, 70)
        const ids = yield* happen(mine, "api_key.created")
        state.away = false
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(heard, ids)
        assert.strictEqual((yield* Fiber.poll(fiber))._tag, "None")
      })
    )
  )

  it.scoped("passes over events about messages that were deleted since", () =>
    test(({ happen }) =>
      Effect.gen(function* () {
        const { heard } = yield* hearing()
        const [, deleted = assert.fail("nothing happened")] = yield* happen(mine, "message.sent", "api_key.created")
        yield* TestClock.adjust("300 millis")
        assert.deepStrictEqual(heard, [deleted])
      })
    )
  )

  it.scoped(`takes one of an organization's ${mostStreams} places, and gives it back`, () =>
    test(() =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        yield* Scope.extend(listen(), scope)
        yield* Effect.replicateEffect(listen(), mostStreams - 1)
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
