import { FetchHttpClient } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { InvalidResponseError, make } from "@switchboard/client"
import { Effect, Redacted, Stream } from "effect"
import { clientOf, json } from "./FakeService.js"

const none = { items: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } }

describe("a request of the client", () => {
  it.scopedLive("does not follow a redirect, and keeps the other settings of fetch", () =>
    Effect.gen(function* () {
      const other = yield* receiver((response) => response.end("{}"))
      const service = yield* receiver((response) => response.writeHead(307, { location: `${other.url}/v1/x` }).end())
      const { messages } = yield* make({ baseUrl: service.url, apiKey: Redacted.make("key") })
      const error = yield* Effect.flip(messages.list())
      assert.instanceOf(error, InvalidResponseError)
      assert.deepStrictEqual(
        service.received.map(({ headers }) => [headers["x-api-key"], headers["x-shop"]]),
        [["key", "1815"]]
      )
      assert.deepStrictEqual(other.received, [])
    }).pipe(
      Effect.provide(FetchHttpClient.layer),
      Effect.provideService(FetchHttpClient.RequestInit, { headers: { "x-shop": "1815" } })
    )
  )

  for (const [baseUrl, requested] of [
    ["https://mail.example.com", "https://mail.example.com/v1/messages"],
    ["https://mail.example.com/", "https://mail.example.com/v1/messages"],
    ["https://mail.example.com/v1", "https://mail.example.com/v1/messages"],
    ["https://mail.example.com/v1//", "https://mail.example.com/v1/messages"],
    ["https://example.com:8443/mail", "https://example.com:8443/mail/v1/messages"],
    ["https://example.com/mail/v1/", "https://example.com/mail/v1/messages"],
    ["https://example.com/mailv1", "https://example.com/mailv1/v1/messages"]
  ] as const) {
    it.effect(`is sent to ${requested} with the base URL ${baseUrl}`, () =>
      Effect.gen(function* () {
        const { requests, switchboard } = yield* clientOf(() => json(none), { baseUrl })
        yield* switchboard.messages.list()
        yield* Stream.runDrain(switchboard.exports.text({ type: "messages", format: "csv" }))
        assert.deepStrictEqual(
          requests.map(({ url }) => url.href),
          [requested, requested.replace("messages", "analytics/export?type=messages&format=csv")]
        )
      })
    )
  }
})
