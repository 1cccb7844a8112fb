import { FetchHttpClient } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { type EventsRequest, make } from "@switchboard/client"
import { readEvent, type SwitchboardEvent } from "@switchboard/client/events/SwitchboardEvent"
import { eventEnvelope } from "@switchboard/domain/events/EventCatalog"
import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { eventTypes } from "@switchboard/domain/events/EventType"
import { Array, Effect, Fiber, Redacted, Schema, Stream, TestClock } from "effect"
import { v7 } from "uuid"
import { clientOf, json } from "../FakeService.js"

const organizationId = v7()

const envelope = (type: string, data: unknown = {}) => ({
  id: v7(),
  type,
  timestamp: "2026-11-20T09:30:00.000Z",
  organizationId,
  data
})

const organization = () => ({
  ...envelope("organization.updated"),
  data: eventExamples["organization.updated"]
})

const eventFrame = (event: { readonly id: string; readonly type: string }) =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

const firstFrame = (id: string) => `: here\nid: ${id}\nretry: 1000\n\n`

/** A connection with these chunks. */
const connection = (...parts: ReadonlyArray<string>) =>
  new Response(Stream.toReadableStream(Stream.encodeText(Stream.fromIterable(parts))))

/** A connection that stays open without further data. */
const silent = (text: string) =>
  new Response(Stream.toReadableStream(Stream.encodeText(Stream.concat(Stream.make(text), Stream.never))))

/** Follows a service with these responses, one for each connection, and records the requests. */
const following = (responses: ReadonlyArray<() => Response>, subscription: EventsRequest = {}) =>
  Effect.gen(function* () {
    const { requests, switchboard } = yield* clientOf((earlier) => responses[earlier]?.() ?? silent(""))
    const received: Array<SwitchboardEvent> = []
    const fiber = yield* Effect.fork(
      Stream.runForEach(switchboard.events(subscription), (event) => Effect.sync(() => void received.push(event)))
    )
    return { requests, received, fiber }
  })

/** Alternates turns of the event loop, which web streams need, with steps of the test clock. */
const passing = (isDone: () => boolean, step: "1 second" | "10 millis" = "10 millis") =>
  Effect.repeat(
    Effect.zipRight(
      TestClock.adjust(step),
      Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    ),
    { until: isDone }
  )

describe("events", () => {
  it.effect("returns typed events from any chunking of the response, and sends the key", () =>
    Effect.gen(function* () {
      const [first, second] = [organization(), organization()]
      const text = firstFrame(v7()) + eventFrame(first) + eventFrame(second)
      const cut = Array.chunksOf([...text], 7).map((part) => part.join(""))
      const { requests, received } = yield* following([() => connection(...cut)], {
        types: ["organization.*", "message.sent"]
      })
      yield* passing(() => received.length === 2)
      assert.deepStrictEqual(
        received.map(({ id }) => id),
        [first.id, second.id]
      )
      const [event] = received
      assert.strictEqual(event?.type === "organization.updated" ? event.data.name : "", first.data.name)
      const { request, url } = requests[0] ?? assert.fail("no request was sent")
      assert.strictEqual(url.pathname + url.search, "/v1/events?types=organization.*%2Cmessage.sent")
      assert.strictEqual(request.headers["x-api-key"], "very secret")
      assert.notProperty(request.headers, "last-event-id")
    })
  )

  it.effect("resumes after a lost connection, also before the first event", () =>
    Effect.gen(function* () {
      const start = v7()
      const [first, second] = [organization(), organization()]
      const { requests, received } = yield* following([
        () => connection(firstFrame(start)),
        // A truncated event is dropped.
        () => connection(firstFrame(start), eventFrame(first), eventFrame(second).slice(0, -1)),
        () => connection(eventFrame(second))
      ])
      yield* passing(() => requests.length === 4)
      assert.deepStrictEqual(
        requests.map(({ request }) => request.headers["last-event-id"]),
        [undefined, start, first.id, second.id]
      )
      assert.deepStrictEqual(
        received.map(({ id }) => id),
        [first.id, second.id]
      )
    })
  )

  it.effect("reconnects with exponential backoff, and honours Retry-After", () =>
    Effect.gen(function* () {
      const away = () => json("bad gateway", 502)
      const { requests } = yield* following(
        [...Array.makeBy(8, () => away), () => json({}, 503, { "retry-after": "30" })],
        { lastEventId: "here" }
      )
      yield* passing(() => requests.length === 9, "1 second")
      yield* TestClock.adjust("29 seconds")
      assert.lengthOf(requests, 9)
      yield* passing(() => requests.length === 10, "1 second")
      for (const { request } of requests) assert.strictEqual(request.headers["last-event-id"], "here")
    })
  )

  it.effect("reconnects when a connection is silent", () =>
    Effect.gen(function* () {
      const { requests } = yield* following([() => silent(firstFrame(v7()))])
      yield* passing(() => requests.length === 2, "1 second")
    })
  )

  it.effect("fails with the error of a rejected request", () =>
    Effect.gen(function* () {
      for (const [status, tag] of [
        [400, "BadRequestError"],
        [401, "UnauthorizedError"],
        [403, "ForbiddenError"]
      ] as const) {
        const { requests, fiber } = yield* following([
          () => connection(firstFrame(v7())),
          () => json({ _tag: tag, message: "No" }, status)
        ])
        yield* passing(() => requests.length === 2)
        const error = yield* Effect.flip(Fiber.join(fiber))
        assert.strictEqual(error._tag, tag)
      }
    })
  )

  it.effect("fails if the base URL is invalid", () =>
    Effect.gen(function* () {
      const { events } = yield* make({ baseUrl: "http://switchboard.test:port", apiKey: Redacted.make("key") })
      const error = yield* Effect.flip(Stream.runDrain(events()))
      assert(error._tag === "RequestError")
      assert.strictEqual(error.reason, "InvalidUrl")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it("decodes every event type of the catalog", () => {
    for (const type of eventTypes) {
      const event = envelope(type, eventExamples[type])
      const read = readEvent({ id: event.id, type, data: JSON.stringify(event) })
      assert.strictEqual(read.type, type)
      Schema.encodeUnknownSync(Schema.typeSchema(eventEnvelope(type)))(read)
    }
  })

  it("returns an unknown event for an unknown type or reduced data", () => {
    for (const event of [envelope("fax.sent", { pages: 1 }), envelope("message.sent", { id: v7() })]) {
      const read = readEvent({ id: event.id, type: event.type, data: JSON.stringify(event) })
      assert.deepStrictEqual(read, { type: "unknown", id: event.id, name: event.type, envelope: event })
    }
  })
})
