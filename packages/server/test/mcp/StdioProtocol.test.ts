import { Writable } from "node:stream"
import * as NodeSink from "@effect/platform-node/NodeSink"
import { assert, it } from "@effect/vitest"
import { inOneWrite } from "@switchboard/server/mcp/StdioProtocol"
import { Chunk, Effect, Stream } from "effect"

it.effect("Responses that are ready together are written at once", () =>
  Effect.gen(function* () {
    const written: Array<string> = []
    const output = new Writable({
      highWaterMark: 10_000_000,
      write: (octets: Buffer, _, done) => {
        written.push(String(octets))
        done()
      }
    })
    const sink = inOneWrite(
      NodeSink.fromWritable<unknown, string | Uint8Array>(
        () => output,
        (error) => error
      )
    )
    const responses = Chunk.makeBy(100_000, (number) => `${number}\n`)
    yield* Stream.run(Stream.fromChunk<string | Uint8Array>(responses), sink)
    assert.deepStrictEqual(written, [Chunk.join(responses, "")])
  })
)
