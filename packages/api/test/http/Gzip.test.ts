import { randomBytes } from "node:crypto"
import { constants, gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { acceptsGzip, gzipStream } from "@switchboard/api/http/Compression"
import { Chunk, Effect, Stream } from "effect"

describe("acceptsGzip", () => {
  it("is true if gzip is acceptable and not less preferred than no coding", () => {
    const accepted = ["gzip", "x-gzip", "*", "br, gzip", "gzip;q=0.1", "GZip", "identity, gzip", "br;q=1.0, *;q=0.5"]
    assert.deepStrictEqual(
      accepted.filter((header) => !acceptsGzip(header)),
      []
    )
  })

  it("is false without the header, and if gzip is excluded, less preferred or unreadable", () => {
    const refused = [
      undefined,
      "",
      "identity",
      "br",
      "gzip;q=0",
      "gzip;q=0.000, *",
      "*;q=0",
      "identity, gzip;q=0.5",
      "gzip;q=nonsense",
      "gzip deflate",
      "gzipped",
      "\u0000,;=;,q=1"
    ]
    assert.deepStrictEqual(refused.filter(acceptsGzip), [])
  })
})

const sizes = [1, 100_000, 0, 3_000_000, 17]

describe("gzipStream", () => {
  it.effect("returns the bytes of the stream, also of large chunks that do not compress", () =>
    Effect.gen(function* () {
      const chunks = sizes.map((size) => randomBytes(size))
      const compressed = yield* Stream.runCollect(gzipStream(Stream.fromIterable(chunks)))
      assert.isTrue(gunzipSync(Buffer.concat([...compressed])).equals(Buffer.concat(chunks)))
    })
  )

  it.effect("flushes each chunk, so that it can be decoded when it arrives", () =>
    Effect.gen(function* () {
      const rows = ["first\n", "second\n"].map((row) => Buffer.from(row))
      const [first] = yield* Stream.runCollect(Stream.take(gzipStream(Stream.fromIterable(rows)), 1))
      const decoded = gunzipSync(first ?? Buffer.alloc(0), { finishFlush: constants.Z_SYNC_FLUSH })
      assert.strictEqual(decoded.toString(), "first\n")
    })
  )

  it.effect("fails with the error of the stream, and without the end of a complete file", () =>
    Effect.gen(function* () {
      const output: Array<Uint8Array> = []
      const failing = Stream.concat(Stream.make(Buffer.from("first\n")), Stream.fail("no more"))
      const error = yield* gzipStream(failing).pipe(
        Stream.runForEachChunk((chunk) => Effect.sync(() => output.push(...Chunk.toReadonlyArray(chunk)))),
        Effect.flip
      )
      assert.strictEqual(error, "no more")
      assert.throws(() => gunzipSync(Buffer.concat(output)), /unexpected end of file/)
    })
  )
})
