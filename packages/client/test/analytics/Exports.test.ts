import { HttpClient, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { make } from "@switchboard/client"
import { DateTime, Effect, Either, Redacted, Stream } from "effect"
import { v7 } from "uuid"

const row = () => ({
  id: v7(),
  type: "api_key.created",
  timestamp: "2026-11-20T09:30:00.000Z",
  organizationId: v7(),
  data: { name: "Shop" }
})

/** A client of a service that gives one answer, and the addresses that it is asked for. */
const asking = <A, E>(
  answer: () => Response,
  use: (switchboard: Effect.Effect.Success<ReturnType<typeof make>>) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const service = HttpClient.make((request, url) =>
      Effect.sync(() => {
        asked.push(`${url.pathname}${url.search} ${request.headers["x-api-key"]}`)
        return HttpClientResponse.fromWeb(request, answer())
      })
    )
    const switchboard = yield* Effect.provideService(
      make({ baseUrl: "http://switchboard.test", apiKey: Redacted.make("key") }),
      HttpClient.HttpClient,
      service
    )
    return { answered: yield* Effect.either(use(switchboard)), asked }
  })

const inParts = (text: string, end: Stream.Stream<Uint8Array, Error> = Stream.empty) =>
  new Response(
    Stream.toReadableStream(
      Stream.concat(Stream.encodeText(Stream.fromIterable(text.match(/[\s\S]{1,7}/g) ?? [])), end)
    )
  )

describe("The exports of the client", () => {
  it.effect("are typed rows, however the network cuts them", () =>
    Effect.gen(function* () {
      const [first, second] = [row(), row()]
      const { answered, asked } = yield* asking(
        () => inParts(`${JSON.stringify(first)}\n${JSON.stringify(second)}\n`),
        ({ exports }) => Stream.runCollect(exports.events({ startDate: DateTime.unsafeMake("2026-11-01T00:00:00Z") }))
      )
      assert.deepStrictEqual(
        [...(answered._tag === "Right" ? answered.right : [])].map(({ id, timestamp }) => [id, timestamp.toJSON()]),
        [
          [first.id, first.timestamp],
          [second.id, second.timestamp]
        ]
      )
      assert.deepStrictEqual(asked, [
        "/v1/analytics/export?type=events&format=ndjson&startDate=2026-11-01T00%3A00%3A00.000Z key"
      ])
    })
  )

  it.effect("are also given as the service writes them", () =>
    Effect.gen(function* () {
      const { answered, asked } = yield* asking(
        () => inParts("id,name\r\n1,Größe\r\n"),
        ({ exports }) => Stream.mkString(exports.text({ type: "messages", format: "csv" }))
      )
      assert.deepStrictEqual(answered._tag === "Right" && answered.right, "id,name\r\n1,Größe\r\n")
      assert.deepStrictEqual(asked, ["/v1/analytics/export?type=messages&format=csv key"])
    })
  )

  it.effect("fail if they break off, and if a row can't be read", () =>
    Effect.gen(function* () {
      for (const answer of [
        () => inParts(`${JSON.stringify(row())}\n`, Stream.fail(new Error("gone"))),
        () => inParts(`${JSON.stringify(row())}\n{"id":`),
        () => new Response("bad gateway", { status: 502 })
      ]) {
        const { answered } = yield* asking(answer, ({ exports }) => Stream.runDrain(exports.events()))
        assert.strictEqual(answered._tag === "Left" && answered.left._tag, "ExportBroken")
      }
    })
  )

  it.effect("fail with the error that the service answers", () =>
    Effect.gen(function* () {
      for (const [status, _tag] of [
        [400, "BadRequestError"],
        [401, "UnauthorizedError"],
        [403, "ForbiddenError"]
      ] as const) {
        const { answered } = yield* asking(
          () => new Response(JSON.stringify({ _tag, message: "No" }), { status }),
          ({ exports }) => Stream.runDrain(exports.messages())
        )
        assert.strictEqual(answered._tag === "Left" && answered.left._tag, _tag)
      }
    })
  )

  it.effect("are the one way to export: all at once it could be read as JSON alone", () =>
    Effect.gen(function* () {
      const { answered } = yield* asking(
        () => new Response(),
        ({ analytics }) => Effect.succeed(Object.keys(analytics))
      )
      const names = Either.getOrThrow(answered)
      assert.include(names, "stats")
      assert.notInclude(names, "export")
    })
  )
})
