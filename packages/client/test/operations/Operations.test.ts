import { inspect } from "node:util"
import { HttpClient, HttpClientError } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { BadRequestError, ValidationError } from "@switchboard/domain/Errors"
import { DateTime, Effect, Either, Redacted } from "effect"
import { AnswerUnreadable } from "../../src/operations/Operations.js"
import { make } from "../../src/Switchboard.js"
import { answering } from "./Answering.js"

const none = { items: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } }
const wrong = {
  _tag: "ValidationError",
  message: "The request is invalid",
  fields: { "email.subject": ["is required"] }
}

const failure = <A, E>(answer: Either.Either<A, E>) => Either.getOrUndefined(Either.flip(answer))

describe("An operation of the client", () => {
  it.effect("takes plain text for ids and addresses, and leaves the judging to the service", () =>
    Effect.gen(function* () {
      const { answer, heard } = yield* answering(422, wrong, ({ messages }) =>
        messages.send({
          payload: {
            channel: "email",
            to: [{ email: "nobody" }],
            email: { subject: "", html: "<p>Hello</p>", from: { name: "Ada", address: "ada@example.com" } },
            scheduledAt: DateTime.unsafeMake("2030-01-01T00:00:00Z"),
            conversationId: "none"
          }
        })
      )
      assert.deepStrictEqual(heard, [
        {
          method: "POST",
          url: "http://switchboard.test/v1/messages",
          body: {
            channel: "email",
            to: [{ email: "nobody" }],
            email: { subject: "", html: "<p>Hello</p>", from: "Ada <ada@example.com>" },
            scheduledAt: "2030-01-01T00:00:00.000Z",
            conversationId: "none"
          }
        }
      ])
      assert.deepStrictEqual(
        failure(answer),
        new ValidationError({ message: wrong.message, fields: { "email.subject": ["is required"] } })
      )
    })
  )

  it.effect("needs no words for what nobody says", () =>
    Effect.gen(function* () {
      const all = yield* answering(200, none, ({ messages }) => messages.list())
      const some = yield* answering(200, none, ({ participants }) =>
        participants.list({ urlParams: { page: 2, filters: { type: "contact" } } })
      )
      const wrongly = yield* answering(200, none, ({ voiceCalls }) =>
        voiceCalls.list({ urlParams: { page: -1, filters: { voiceAgentId: "nobody" } } })
      )
      assert.deepStrictEqual(
        Either.map(all.answer, ({ items }) => items),
        Either.right([])
      )
      assert.deepStrictEqual(
        [...all.heard, ...some.heard, ...wrongly.heard].map(({ url }) => decodeURIComponent(url)),
        [
          "http://switchboard.test/v1/messages",
          'http://switchboard.test/v1/participants?page=2&filters={"type":"contact"}',
          'http://switchboard.test/v1/voice/calls?page=-1&filters={"voiceAgentId":"nobody"}'
        ]
      )
    })
  )

  it.effect("says as the service would that a request can't be written down, and asks nobody", () =>
    Effect.gen(function* () {
      const { answer, heard } = yield* answering(200, none, ({ messages }) =>
        messages.send({
          payload: { channel: "email", to: [], email: { templateId: "none", templateData: { orders: 7n } } }
        })
      )
      assert.instanceOf(failure(answer), BadRequestError)
      assert.deepStrictEqual(heard, [])
    })
  )

  it.effect("fails with what can't be read", () =>
    Effect.gen(function* () {
      for (const answer of ["<html>It works!</html>", { items: "none" }]) {
        const read = yield* answering(200, answer, ({ messages }) => messages.list())
        assert.instanceOf(failure(read.answer), AnswerUnreadable)
      }
    })
  )

  it.effect("fails with what the network says, and never tells the key", () =>
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
      const elsewhere = yield* answering(302, "Moved", ({ messages }) => messages.list())
      assert.notInclude(inspect(elsewhere.answer, { depth: 9 }) + JSON.stringify(elsewhere.answer), "very secret")
      assert.instanceOf(failure(elsewhere.answer), AnswerUnreadable)
    })
  )
})
