import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import {
  BadRequestError,
  FileContent,
  make,
  RequestError,
  requestIdOf,
  ServiceUnavailableError,
  ValidationError
} from "@switchboard/client/promise"
import { Effect } from "effect"
import { invalid, list, mail, pagination, rejection, serving, unavailable } from "./Serving.js"

const payload = {
  channel: "email",
  to: [{ email: "ada@example.com" }],
  email: { subject: "Hello", html: "<p>Hello</p>" }
} as const

describe("the client with promises", () => {
  it.scopedLive("returns plain values: dates in the response and in the request", () =>
    Effect.gen(function* () {
      const { service, switchboard } = yield* serving([list])
      const page = yield* Effect.promise(() => switchboard.mailbox.list({ urlParams: { limit: 1 } }))
      assert.deepStrictEqual(page, {
        items: [{ ...mail(1), receivedAt: new Date("2030-01-01T00:00:00Z") }],
        pagination
      })
      assert.strictEqual(page.items[0]?.receivedAt.getTime(), Date.UTC(2030, 0, 1))
      yield* rejection(switchboard.messages.list({ urlParams: { startDate: new Date("2029-12-31T23:00:00-01:00") } }))
      assert.deepStrictEqual(
        service.received.map(({ path }) => path),
        ["/v1/mailbox?limit=1", "/v1/messages?startDate=2030-01-01T00%3A00%3A00.000Z"]
      )
    })
  )

  it.scopedLive("sends the octets of a file as base64", () =>
    Effect.gen(function* () {
      const { service, switchboard } = yield* serving([unavailable])
      const attachments = [{ filename: "a.txt", content: new FileContent(new TextEncoder().encode("Hello")) }]
      yield* rejection(switchboard.messages.send({ payload: { ...payload, email: { ...payload.email, attachments } } }))
      assert.include(service.received[0]?.body, '"attachments":[{"filename":"a.txt","content":"SGVsbG8="}]')
    })
  )

  it.scopedLive("rejects an invalid date without a request", () =>
    Effect.gen(function* () {
      const { service, switchboard } = yield* serving([list])
      const never = new Date("never")
      for (const error of [
        yield* rejection(switchboard.messages.send({ payload: { ...payload, scheduledAt: never } })),
        yield* rejection(switchboard.exports.messages({ startDate: never }).next())
      ]) {
        assert.deepStrictEqual(error, new BadRequestError({ message: "The request can't be converted: Invalid date" }))
      }
      assert.deepStrictEqual(service.received, [])
    })
  )

  it.scopedLive("knows the request id of an error, which an error without a response does not have", () =>
    Effect.gen(function* () {
      const { switchboard } = yield* serving([
        { ...invalid, headers: { "x-request-id": "r-1" } },
        { ...invalid, headers: { "x-request-id": "r-2" } }
      ])
      const first = yield* rejection(switchboard.messages.send({ payload }))
      const second = yield* rejection(switchboard.messages.send({ payload }))
      const early = yield* rejection(switchboard.messages.send({ payload: { ...payload, to: [] } }))
      assert.deepStrictEqual([first, second, early, "text"].map(requestIdOf), ["r-1", "r-2", undefined, undefined])
    })
  )

  it.scopedLive("returns the status and the headers of the response on request", () =>
    Effect.gen(function* () {
      const { switchboard } = yield* serving([list])
      const [page, response] = yield* Effect.promise(() => switchboard.mailbox.list({ withResponse: true }))
      assert.strictEqual(page.items[0]?.subject, "Mail 1")
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers["x-request-id"], "r-1")
    })
  )

  it.scopedLive("rejects with instances of the error classes, with the frames of the call", () =>
    Effect.gen(function* () {
      const { switchboard } = yield* serving([invalid])
      const sendOrder = () => switchboard.messages.send({ payload })
      const error = yield* rejection(sendOrder())
      assert(error instanceof ValidationError)
      assert.instanceOf(error, Error)
      assert.strictEqual(error._tag, "ValidationError")
      assert.strictEqual(error.status, 422)
      assert.strictEqual(error.message, "The request body is invalid")
      assert.deepStrictEqual({ ...error.fields }, { "to.0.email": ["is blocked"] })
      assert.match(error.stack ?? "", /^ValidationError: The request body is invalid\n[\s\S]*sendOrder/)
      const early = yield* rejection(switchboard.messages.send({ payload: { ...payload, to: [] } }))
      assert(early instanceof ValidationError)
      assert.deepStrictEqual({ ...early.fields }, { to: ["must name at least one recipient"] })
    })
  )

  it.scopedLive("repeats a request as often as configured", () =>
    Effect.gen(function* () {
      const { service, switchboard } = yield* serving([unavailable], { retries: 0 })
      assert.instanceOf(yield* rejection(switchboard.messages.list()), ServiceUnavailableError)
      assert.lengthOf(service.received, 1)
    })
  )

  it.scopedLive("sends requests with the given fetch", () =>
    Effect.gen(function* () {
      const urls: Array<string> = []
      const { switchboard } = yield* serving([list], {
        fetch: (input, init) => {
          urls.push(String(input))
          return fetch(input, init)
        }
      })
      yield* Effect.promise(() => switchboard.mailbox.list())
      assert.lengthOf(urls, 1)
      assert.match(urls[0] ?? "", /\/v1\/mailbox$/)
    })
  )

  it.scopedLive("sends no trace headers, which browsers would not allow", () =>
    Effect.gen(function* () {
      const { service, switchboard } = yield* serving([list])
      yield* Effect.promise(() => switchboard.mailbox.list())
      assert.notInclude(Object.keys(service.received[0]?.headers ?? {}), "traceparent")
      assert.notInclude(Object.keys(service.received[0]?.headers ?? {}), "b3")
    })
  )

  it.scopedLive("rejects an address that is invalid or that does not respond, without showing the key", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(receiver((response) => response.end()))
      for (const baseUrl of [url, "not a url", ""]) {
        const { messages } = make({ baseUrl, apiKey: "very secret" })
        for (const error of [yield* rejection(messages.list()), yield* rejection(messages.list.all().next())]) {
          assert.instanceOf(error, RequestError)
          assert.notInclude(inspect(error, { depth: 9 }), "very secret")
        }
      }
      assert.instanceOf(yield* rejection(make({ baseUrl: "not a url", apiKey: "key" }).events().next()), RequestError)
    })
  )
})
