import { createServer } from "node:http"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { guardTruncation } from "@switchboard/api/http/TruncationGuard"
import { Deferred, Effect, Layer, Logger, Stream } from "effect"

const part = "x".repeat(1_000)

/** Serves a stream and collects the log. */
const serving = <A, E>(
  stream: Stream.Stream<string, E>,
  fetching: (url: string, logged: ReadonlyArray<string>) => Effect.Effect<A>
) =>
  Effect.gen(function* () {
    const logged: Array<string> = []
    const app = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
      HttpServerResponse.stream(Stream.encodeText(guardTruncation(request, "A response", stream)))
    )
    const context = yield* Layer.build(
      HttpServer.serve(app).pipe(
        Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })),
        Layer.provide(
          Logger.replace(
            Logger.defaultLogger,
            Logger.make(({ message }) => void logged.push(String(message)))
          )
        )
      )
    )
    const url = yield* Effect.provide(HttpServer.addressFormattedWith(Effect.succeed), context)
    return yield* fetching(url, logged)
  })

/** Reads a response to its end, and signals its first chunk. */
const textOf = (url: string, begun?: Deferred.Deferred<void>) =>
  Effect.promise(async () => {
    const response = await fetch(url)
    const decoder = new TextDecoder()
    let text = ""
    try {
      for await (const octets of response.body ?? []) {
        text += decoder.decode(octets, { stream: true })
        if (begun !== undefined) Deferred.unsafeDone(begun, Effect.void)
      }
      return text
    } catch {
      return `${text.length} bytes, truncated`
    }
  })

describe("guardTruncation", () => {
  it.scopedLive("does not affect a complete response", () =>
    serving(Stream.make(part, part), (url, logged) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* textOf(url), part + part)
        assert.deepStrictEqual(
          logged.filter((line) => line.includes("truncated")),
          []
        )
      })
    )
  )

  for (const [how, end] of [
    ["fails", Effect.fail("nothing more")],
    ["dies", Effect.die("nothing more")]
  ] as const) {
    it.scopedLive(`destroys the connection if the stream ${how}, and logs it`, () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const ending = Stream.fromEffect(Effect.zipRight(Deferred.await(begun), end))
        yield* serving(Stream.concat(Stream.make(part), ending), (url, logged) =>
          Effect.gen(function* () {
            assert.strictEqual(yield* textOf(url, begun), "1000 bytes, truncated")
            assert.include(logged, "A response was truncated")
          })
        )
      })
    )
  }

  it.scopedLive("stops the stream if the client disconnects", () =>
    Effect.gen(function* () {
      const over = yield* Deferred.make<void>()
      const endless = Stream.ensuring(Stream.repeatValue(part), Deferred.succeed(over, undefined))
      yield* serving(endless, (url) =>
        Effect.promise(async () => {
          const response = await fetch(url)
          const reader = response.body?.getReader()
          await reader?.read()
          await reader?.cancel()
        })
      )
      yield* Deferred.await(over)
    })
  )
})
