import { assert, describe, it } from "@effect/vitest"
import { serverSentEvents } from "@switchboard/api/events/ServerSentEvents"
import { EventId } from "@switchboard/domain/events/EventType"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { beforeAllEvents, type EventRound } from "@switchboard/services/events/EventStream"
import { Effect, Fiber, Queue, Ref, Stream, TestClock } from "effect"
import { v7 } from "uuid"

const silence: EventRound = { events: [], position: beforeAllEvents }

const roundWith = (data: unknown) => {
  const id = EventId.make(v7())
  const event = {
    id,
    type: "message.sent",
    timestamp: "2026-11-20T09:30:00.000Z",
    organizationId: OrganizationId.make(v7()),
    data
  } as const
  return { events: [event], position: id }
}

/** Runs the stream and collects its texts. */
const writing = Effect.gen(function* () {
  const rounds = yield* Queue.unbounded<EventRound>()
  const over = yield* Ref.make(false)
  const written: Array<string> = []
  const fiber = yield* Effect.fork(
    Stream.runForEach(
      serverSentEvents({ position: beforeAllEvents, rounds: Stream.fromQueue(rounds) }, Ref.get(over)),
      (text) => Effect.sync(() => void written.push(text))
    )
  )
  const round = (given: EventRound) => Effect.zipRight(Queue.offer(rounds, given), TestClock.adjust("1 millis"))
  yield* TestClock.adjust("1 millis")
  return { round, over, written, fiber }
})

describe("Server-sent events", () => {
  it.effect("begin with their position, and have each event on one line", () =>
    Effect.gen(function* () {
      const { round, written } = yield* writing
      const given = roundWith({ subject: "Line\r\nbreak\u2028" })
      yield* round(given)
      const [event] = given.events
      assert.deepStrictEqual(written, [
        `: here\nid: ${beforeAllEvents}\nretry: 1000\n\n`,
        `id: ${given.position}\nevent: message.sent\ndata: ${JSON.stringify(event)}\n\n`
      ])
      assert.lengthOf((written[1] ?? "").split(/\r|\n/), 5)
    })
  )

  it.effect("repeat the position after 15 seconds without events", () =>
    Effect.gen(function* () {
      const { round, written } = yield* writing
      const passed = EventId.make(v7())
      yield* TestClock.adjust("14 seconds")
      yield* round(silence)
      yield* round(roundWith({}))
      yield* TestClock.adjust("14 seconds")
      yield* round(silence)
      assert.lengthOf(written, 2)
      yield* TestClock.adjust("1 second")
      yield* round({ events: [], position: passed })
      yield* round(silence)
      assert.deepStrictEqual(written.slice(2), [`: here\nid: ${passed}\nretry: 1000\n\n`])
    })
  )

  it.effect("send nothing after their end", () =>
    Effect.gen(function* () {
      const { fiber, over, round, written } = yield* writing
      yield* Ref.set(over, true)
      yield* round(roundWith({}))
      yield* Fiber.join(fiber)
      assert.lengthOf(written, 1)
    })
  )
})
