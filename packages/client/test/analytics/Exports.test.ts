import { assert, describe, it } from "@effect/vitest"
import type { Switchboard } from "@switchboard/client"
import { DateTime, Effect, Either, Stream } from "effect"
import { v7 } from "uuid"
import { clientOf, json } from "../FakeService.js"

const row = () => ({
  id: v7(),
  type: "api_key.created",
  timestamp: "2026-11-20T09:30:00.000Z",
  organizationId: v7(),
  data: { name: "Shop" }
})

/** Calls a service with a fixed response, and records the requests. */
const exporting = <A, E>(respond: () => Response, use: (switchboard: Switchboard) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const { requests, switchboard } = yield* clientOf(respond)
    const result = yield* Effect.either(use(switchboard))
    return {
      result,
      requests: requests.map(({ request, url }) => [url.pathname + url.search, request.headers["x-api-key"]])
    }
  })

const inParts = (text: string, end: Stream.Stream<Uint8Array, Error> = Stream.empty) =>
  new Response(
    Stream.toReadableStream(
      Stream.concat(Stream.encodeText(Stream.fromIterable(text.match(/[\s\S]{1,7}/g) ?? [])), end)
    )
  )

describe("exports", () => {
  it.effect("returns typed rows from any chunking of the response", () =>
    Effect.gen(function* () {
      const [first, second] = [row(), row()]
      const { result, requests } = yield* exporting(
        () => inParts(`${JSON.stringify(first)}\n${JSON.stringify(second)}\n`),
        ({ exports }) => Stream.runCollect(exports.events({ startDate: DateTime.unsafeMake("2026-11-01T00:00:00Z") }))
      )
      assert.deepStrictEqual(
        [...(result._tag === "Right" ? result.right : [])].map(({ id, timestamp }) => [id, timestamp.toJSON()]),
        [
          [first.id, first.timestamp],
          [second.id, second.timestamp]
        ]
      )
      assert.deepStrictEqual(requests, [
        ["/v1/analytics/export?type=events&format=ndjson&startDate=2026-11-01T00%3A00%3A00.000Z", "very secret"]
      ])
    })
  )

  it.effect("returns the text of the response", () =>
    Effect.gen(function* () {
      const { result, requests } = yield* exporting(
        () => inParts("id,name\r\n1,Größe\r\n"),
        ({ exports }) => Stream.mkString(exports.text({ type: "messages", format: "csv" }))
      )
      assert.deepStrictEqual(result._tag === "Right" && result.right, "id,name\r\n1,Größe\r\n")
      assert.deepStrictEqual(requests, [["/v1/analytics/export?type=messages&format=csv", "very secret"]])
    })
  )

  it.effect("fails with ExportIncompleteError if the response is truncated or a row can't be decoded", () =>
    Effect.gen(function* () {
      for (const respond of [
        () => inParts(`${JSON.stringify(row())}\n`, Stream.fail(new Error("gone"))),
        () => inParts(`${JSON.stringify(row())}\n{"id":`),
        () => new Response("bad gateway", { status: 502 })
      ]) {
        const { result } = yield* exporting(respond, ({ exports }) => Stream.runDrain(exports.events()))
        assert.strictEqual(result._tag === "Left" && result.left._tag, "ExportIncompleteError")
      }
    })
  )

  it.effect("fails with the error of the response", () =>
    Effect.gen(function* () {
      for (const [status, _tag] of [
        [400, "BadRequestError"],
        [401, "UnauthorizedError"],
        [403, "ForbiddenError"]
      ] as const) {
        const { result } = yield* exporting(
          () => json({ _tag, message: "No" }, status),
          ({ exports }) => Stream.runDrain(exports.messages())
        )
        assert.strictEqual(result._tag === "Left" && result.left._tag, _tag)
      }
    })
  )

  it.effect("replaces the operation analytics.export, which could only decode complete JSON", () =>
    Effect.gen(function* () {
      const { result } = yield* exporting(
        () => new Response(),
        ({ analytics }) => Effect.succeed(Object.keys(analytics))
      )
      const names = Either.getOrThrow(result)
      assert.include(names, "stats")
      assert.notInclude(names, "export")
    })
  )
})
