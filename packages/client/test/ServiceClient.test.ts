import { FetchHttpClient } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { InvalidResponseError, make } from "@switchboard/client"
import { Effect, Redacted } from "effect"

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
})
