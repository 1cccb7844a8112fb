import { HttpClient, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { type EventsRequest, make } from "@switchboard/client"
import { readEvent, type SwitchboardEvent } from "@switchboard/client/events/SwitchboardEvent"
import { eventEnvelope } from "@switchboard/domain/events/EventCatalog"
import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { eventTypes } from "@switchboard/domain/events/EventType"
import { Array, Effect, Fiber, Redacted, Schema, Stream, TestClock } from "effect"
import { v7 } from "uuid"

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

const told = (event: { readonly id: string; readonly type: string }) =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

const standing = (id: string) => `: here\nid: ${id}\nretry: 1000\n\n`

const refusal = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

/** Parts of one connection, as the network cuts them. */
const connection = (...parts: ReadonlyArray<string>) =>
  new Response(Stream.toReadableStream(Stream.encodeText(Stream.fromIterable(parts))))

/** A connection on which nothing comes any more, and which nobody ends. */
const silent = (text: string) =>
  new Response(Stream.toReadableStream(Stream.encodeText(Stream.concat(Stream.make(text), Stream.never))))

/** Follows a service that answers each connection as it is told, and keeps what it was asked. */
const following = (answers: ReadonlyArray<() => Response>, request: EventsRequest = {}) =>
  Effect.gen(function* () {
    const asked: Array<{ readonly url: string; readonly after: string | undefined; readonly key: string | undefined }> =
      []
    const service = HttpClient.make((given, url) =>
      Effect.suspend(() => {
        asked.push({
          url: url.pathname + url.search,
          after: given.headers["last-event-id"],
          key: given.headers["x-api-key"]
        })
        const answer = answers[asked.length - 1] ?? (() => silent(""))
        return Effect.succeed(HttpClientResponse.fromWeb(given, answer()))
      })
    )
    const switchboard = yield* Effect.provideService(
      make({ baseUrl: "http://switchboard.test", apiKey: Redacted.make("key") }),
      HttpClient.HttpClient,
      service
    )
    const heard: Array<SwitchboardEvent> = []
    const fiber = yield* Effect.fork(
      Stream.runForEach(switchboard.events(request), (event) => Effect.sync(() => void heard.push(event)))
    )
    return { asked, heard, fiber }
  })

/** Reading from a web stream takes real turns of the loop; time moves between them. */
const passing = (isSo: () => boolean, step: "1 second" | "10 millis" = "10 millis") =>
  Effect.repeat(
    Effect.zipRight(
      TestClock.adjust(step),
      Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    ),
    { until: isSo }
  )

describe("The events of the client", () => {
  it.effect("are typed, however the network cuts them, and asked for with the key", () =>
    Effect.gen(function* () {
      const [first, second] = [organization(), organization()]
      const text = standing(v7()) + told(first) + told(second)
      const cut = Array.chunksOf([...text], 7).map((part) => part.join(""))
      const { asked, heard } = yield* following([() => connection(...cut)], {
        types: ["organization.*", "message.sent"]
      })
      yield* passing(() => heard.length === 2)
      assert.deepStrictEqual(
        heard.map(({ id }) => id),
        [first.id, second.id]
      )
      const [event] = heard
      assert.strictEqual(event?.type === "organization.updated" ? event.data.name : "", first.data.name)
      assert.deepStrictEqual(asked[0], {
        url: "/v1/events?types=organization.*%2Cmessage.sent",
        after: undefined,
        key: "key"
      })
    })
  )

  it.effect("go on where they were when the connection is lost, also before the first event", () =>
    Effect.gen(function* () {
      const start = v7()
      const [first, second] = [organization(), organization()]
      const { asked, heard } = yield* following([
        () => connection(standing(start)),
        // Half an event is none.
        () => connection(standing(start), told(first), told(second).slice(0, -1)),
        () => connection(told(second))
      ])
      yield* passing(() => asked.length === 4)
      assert.deepStrictEqual(
        asked.map(({ after }) => after),
        [undefined, start, first.id, second.id]
      )
      assert.deepStrictEqual(
        heard.map(({ id }) => id),
        [first.id, second.id]
      )
    })
  )

  it.effect("come again more and more slowly to a service that is away, and as late as it asks", () =>
    Effect.gen(function* () {
      const away = () => refusal(502, "bad gateway")
      const { asked } = yield* following(
        [...Array.makeBy(8, () => away), () => refusal(503, {}, { "retry-after": "30" })],
        { lastEventId: "here" }
      )
      yield* passing(() => asked.length === 9, "1 second")
      yield* TestClock.adjust("29 seconds")
      assert.lengthOf(asked, 9)
      yield* passing(() => asked.length === 10, "1 second")
      assert.deepStrictEqual([...new Set(asked.map(({ after }) => after))], ["here"])
    })
  )

  it.effect("do not wait for ever on a connection that is silent", () =>
    Effect.gen(function* () {
      const { asked } = yield* following([() => silent(standing(v7()))])
      yield* passing(() => asked.length === 2, "1 second")
    })
  )

  it.effect("end, with the error, when they are refused", () =>
    Effect.gen(function* () {
      for (const [status, tag] of [
        [400, "BadRequestError"],
        [401, "UnauthorizedError"],
        [403, "ForbiddenError"]
      ] as const) {
        const { asked, fiber } = yield* following([
          () => connection(standing(v7())),
          () => refusal(status, { _tag: tag, message: "No" })
        ])
        yield* passing(() => asked.length === 2)
        const error = yield* Effect.flip(Fiber.join(fiber))
        assert.strictEqual(error._tag, tag)
      }
    })
  )

  it("know every event of the catalog by its type", () => {
    for (const type of eventTypes) {
      const event = envelope(type, eventExamples[type])
      const read = readEvent({ id: event.id, type, data: JSON.stringify(event) })
      assert.strictEqual(read.type, type)
      Schema.encodeUnknownSync(Schema.typeSchema(eventEnvelope(type)))(read)
    }
  })

  it("of a newer service, or with data that was cut, are given as they came", () => {
    for (const event of [envelope("fax.sent", { pages: 1 }), envelope("message.sent", { id: v7() })]) {
      const read = readEvent({ id: event.id, type: event.type, data: JSON.stringify(event) })
      assert.deepStrictEqual(read, { type: "unknown", id: event.id, name: event.type, envelope: event })
    }
  })
})
