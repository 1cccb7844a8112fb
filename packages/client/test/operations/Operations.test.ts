import { inspect } from "node:util"
import { HttpClient, HttpClientError } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { InvalidResponseError, isApiError, make, ValidationError } from "@switchboard/client"
import { DateTime, Effect, Either, Redacted } from "effect"
import { v7 } from "uuid"
import { responding } from "../FakeService.js"

const none = { items: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } }
const wrong = {
  _tag: "ValidationError",
  message: "The request body is invalid",
  fields: { "to.0.email": ["must be an email address like ada@example.com"] }
}
const conversationId = v7()

const failure = <A, E>(result: Either.Either<A, E>) => Either.getOrUndefined(Either.flip(result))

describe("an operation of the client", () => {
  it.effect("accepts strings as ids and addresses, and fails with the error of the response", () =>
    Effect.gen(function* () {
      const { result, requests } = yield* responding(422, wrong, ({ messages }) =>
        messages.send({
          payload: {
            channel: "email",
            to: [{ email: "ada@example.com" }],
            email: { subject: "Hello", html: "<p>Hello</p>", from: { name: "Ada", address: "ada@example.com" } },
            scheduledAt: DateTime.unsafeMake("2030-01-01T00:00:00Z"),
            conversationId
          }
        })
      )
      assert.deepStrictEqual(requests, [
        {
          method: "POST",
          url: "http://switchboard.test/v1/messages",
          body: {
            channel: "email",
            to: [{ email: "ada@example.com" }],
            email: { subject: "Hello", html: "<p>Hello</p>", from: "Ada <ada@example.com>" },
            scheduledAt: "2030-01-01T00:00:00.000Z",
            conversationId
          }
        }
      ])
      const error = failure(result)
      assert.deepStrictEqual(error, new ValidationError({ message: wrong.message, fields: wrong.fields }))
      assert.isTrue(isApiError(error))
    })
  )

  it.effect("accepts a request without its optional parts", () =>
    Effect.gen(function* () {
      const all = yield* responding(200, none, ({ messages }) => messages.list())
      const some = yield* responding(200, none, ({ participants }) =>
        participants.list({ urlParams: { page: 2, filters: { type: "contact" } } })
      )
      assert.deepStrictEqual(
        Either.map(all.result, ({ items }) => items),
        Either.right([])
      )
      assert.deepStrictEqual(
        [...all.requests, ...some.requests].map(({ url }) => decodeURIComponent(url)),
        [
          "http://switchboard.test/v1/messages",
          'http://switchboard.test/v1/participants?page=2&filters={"type":"contact"}'
        ]
      )
    })
  )

  it.effect("redacts the key in the error of a failed connection", () =>
    Effect.gen(function* () {
      const broken = HttpClient.make((request) =>
        Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", description: "No route" }))
      )
      const error = yield* make({ baseUrl: "http://switchboard.test", apiKey: Redacted.make("very secret") }).pipe(
        Effect.flatMap(({ messages }) => Effect.flip(messages.list())),
        Effect.provideService(HttpClient.HttpClient, broken)
      )
      assert(error._tag === "RequestError")
      assert.strictEqual(error.description, "No route")
      assert.notInclude(inspect(error, { depth: 9 }) + JSON.stringify(error), "very secret")
      const elsewhere = yield* responding(302, "Moved", ({ messages }) => messages.list())
      assert.notInclude(inspect(elsewhere.result, { depth: 9 }) + JSON.stringify(elsewhere.result), "very secret")
      assert.instanceOf(failure(elsewhere.result), InvalidResponseError)
    })
  )
})
