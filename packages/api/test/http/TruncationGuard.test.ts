import { createServer } from "node:http"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { compressible, compressResponse } from "@switchboard/api/http/Compression"
import { guardTruncation } from "@switchboard/api/http/ServeRoutes"
import { Deferred, Effect, Layer, Logger, Stream } from "effect"

const part = "x".repeat(1_000)

const codings = ["identity", "gzip"]

/** Serves a stream, compressed if the request accepts it, and collects the log. */
const serving = <A, E>(
  stream: Stream.Stream<string, E>,
  fetching: (url: string, logged: ReadonlyArray<string>) => Effect.Effect<A>
) =>
  Effect.gen(function* () {
    const logged: Array<string> = []
    const app = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const response = HttpServerResponse.stream(Stream.encodeText(stream), { headers: compressible })
      return guardTruncation(request, yield* compressResponse(request, response))
    })
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
const textOf = (url: string, coding: string, begun?: Deferred.Deferred<void>) =>
  Effect.promise(async () => {
    const response = await fetch(url, { headers: { "Accept-Encoding": coding } })
    assert.strictEqual(response.headers.get("content-encoding") ?? "identity", coding)
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
  for (const coding of codings) {
    it.scopedLive(`does not affect a complete response (${coding})`, () =>
      serving(Stream.make(part, part), (url, logged) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* textOf(url, coding), part + part)
          assert.deepStrictEqual(
            logged.filter((line) => line.includes("truncated")),
            []
          )
        })
      )
    )

    for (const [how, end] of [
      ["fails", Effect.fail("nothing more")],
      ["dies", Effect.die("nothing more")],
      ["is interrupted", Effect.interrupt]
    ] as const) {
      it.scopedLive(`sends what the stream has, and destroys the connection if it ${how} (${coding})`, () =>
        Effect.gen(function* () {
          const begun = yield* Deferred.make<void>()
          const ending = Stream.fromEffect(Effect.zipRight(Deferred.await(begun), end))
          yield* serving(Stream.concat(Stream.make(part), ending), (url, logged) =>
            Effect.gen(function* () {
              assert.strictEqual(yield* textOf(url, coding, begun), "1000 bytes, truncated")
              assert.strictEqual(logged.includes("A response was truncated"), how !== "is interrupted")
            })
          )
        })
      )
    }

    it.scopedLive(`stops the stream if the client disconnects (${coding})`, () =>
      Effect.gen(function* () {
        const over = yield* Deferred.make<void>()
        const endless = Stream.ensuring(Stream.repeatValue(part), Deferred.succeed(over, undefined))
        yield* serving(endless, (url) =>
          Effect.promise(async () => {
            const response = await fetch(url, { headers: { "Accept-Encoding": coding } })
            const reader = response.body?.getReader()
            await reader?.read()
            await reader?.cancel()
          })
        )
        yield* Deferred.await(over)
      })
    )
  }
})
