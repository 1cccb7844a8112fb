import { assert, describe, it } from "@effect/vitest"
import { ExportIncompleteError, InvalidResponseError, requestIdOf } from "@switchboard/client"
import { Effect, Stream } from "effect"
import { v7 } from "uuid"
import { clientOf } from "../FakeService.js"

const page = `<html><title>502 Bad Gateway</title>${"Grüße ".repeat(1_000)}`

const isNot = (status: number) => `The response with the status ${status} is not one that the API declares`

/** Responses that are not of the service, and the message of the error. */
const responses: ReadonlyArray<readonly [number, string, string]> = [
  [502, page, isNot(502)],
  [401, page, `${isNot(401)}: Could not parse JSON`],
  [504, "", isNot(504)],
  [418, page, isNot(418)],
  [302, "Moved", isNot(302)],
  [200, page, `${isNot(200)}: Could not parse JSON`],
  [200, '{"items":"none"}', `${isNot(200)}: items must be a list`]
]

const headers = { "content-type": "text/html", "x-request-id": "r-1" }

describe("a response that is not of the service", () => {
  for (const [status, body, message] of responses) {
    it.effect(`fails with its status, headers and the start of its body: ${status} ${body.slice(0, 20)}`, () =>
      Effect.gen(function* () {
        const { switchboard } = yield* clientOf(() => new Response(body, { status, headers }), { retries: 0 })
        const { messages } = switchboard
        for (const call of [
          messages.list(),
          messages.list({ withResponse: true }),
          Stream.runDrain(messages.list.all())
        ]) {
          const error = yield* Effect.flip(call)
          assert(error instanceof InvalidResponseError)
          assert.deepStrictEqual(
            [error.message, error.status, error.headers, error.body],
            [message, status, headers, body.slice(0, 2_000)]
          )
          assert.strictEqual(requestIdOf(error), "r-1")
        }
      })
    )
  }

  it.effect("ends an export with its status, headers and the start of its body", () =>
    Effect.gen(function* () {
      const { switchboard } = yield* clientOf(() => new Response(page, { status: 502, headers }))
      const error = yield* Effect.flip(Stream.runDrain(switchboard.exports.messages()))
      assert(error instanceof ExportIncompleteError)
      assert.deepStrictEqual([error.status, error.headers, error.body], [502, headers, page.slice(0, 2_000)])
      assert.strictEqual(requestIdOf(error), "r-1")
    })
  )

  it.effect("names the fields of a row that can't be read", () =>
    Effect.gen(function* () {
      const { switchboard } = yield* clientOf(() => new Response(`{"id":"${v7()}","type":1}\n`))
      const error = yield* Effect.flip(Stream.runDrain(switchboard.exports.events()))
      assert.match(error.message, /^A row can't be read: type must be/)
    })
  )
})
