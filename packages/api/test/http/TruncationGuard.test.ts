import { createServer } from "node:http"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { endingWhole } from "@switchboard/api/http/TruncationGuard"
import { Deferred, Effect, Layer, Logger, Stream } from "effect"

const part = "x".repeat(1_000)

/** Fetches what a server answers with a stream; what it logs meanwhile. */
const answering = <A, E>(
  stream: Stream.Stream<string, E>,
  fetching: (url: string, logged: ReadonlyArray<string>) => Effect.Effect<A>
) =>
  Effect.gen(function* () {
    const logged: Array<string> = []
    const app = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
      HttpServerResponse.stream(Stream.encodeText(endingWhole(request, "An answer", stream)))
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

/** Reads an answer to its end, and says when it has begun. */
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
      return `${text.length} octets, cut off`
    }
  })

describe("A long answer", () => {
  it.scopedLive("ends when it is whole", () =>
    answering(Stream.make(part, part), (url, logged) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* textOf(url), part + part)
        assert.deepStrictEqual(
          logged.filter((line) => line.includes("cut off")),
          []
        )
      })
    )
  )

  for (const [how, end] of [
    ["fails", Effect.fail("nothing more")],
    ["dies", Effect.die("nothing more")]
  ] as const) {
    it.scopedLive(`is cut off when it ${how}, and that is logged`, () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const ending = Stream.fromEffect(Effect.zipRight(Deferred.await(begun), end))
        yield* answering(Stream.concat(Stream.make(part), ending), (url, logged) =>
          Effect.gen(function* () {
            assert.strictEqual(yield* textOf(url, begun), "1000 octets, cut off")
            assert.include(logged, "An answer was cut off")
          })
        )
      })
    )
  }

  it.scopedLive("is not read on for somebody who hung up", () =>
    Effect.gen(function* () {
      const over = yield* Deferred.make<void>()
      const endless = Stream.ensuring(Stream.repeatValue(part), Deferred.succeed(over, undefined))
      yield* answering(endless, (url) =>
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
