import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as RpcServer from "@effect/rpc/RpcServer"
import { Chunk, Effect, Layer, Sink, Stream } from "effect"
import { maxMessageBytes } from "./JsonRpc.js"

const newline = 0x0a

/** The initial size of the buffer for a line in several chunks, in octets. */
const initialBuffer = 64 * 1024

/** Collects the chunks of a line, at most `limit` octets: the rest of a longer line is skipped. */
const makeLine = (limit: number) => {
  let octets = Buffer.allocUnsafe(0)
  let size = 0
  const append = (part: Uint8Array) => {
    const added = part.subarray(0, limit - size)
    const length = size + added.byteLength
    if (length > octets.byteLength) {
      octets = Buffer.concat([octets.subarray(0, size)], Math.min(limit, Math.max(initialBuffer, length * 2)))
    }
    octets.set(added, size)
    size = length
  }
  /** The line that ends with this part. */
  const end = (part: Uint8Array): Uint8Array => {
    if (size === 0) return part.subarray(0, limit)
    append(part)
    const line = octets.subarray(0, size)
    octets = Buffer.allocUnsafe(0)
    size = 0
    return line
  }
  return { append, end }
}

const isBlank = (line: Uint8Array) => line.every((octet) => octet === 0x20 || octet === 0x09 || octet === 0x0d)

/** The lines of octets that are not blank. A line that is too long for a message is truncated, to one octet too many. */
const messageLines = <E, R>(octets: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
  Stream.suspend(() => {
    const line = makeLine(maxMessageBytes + 1)
    const read = function* (chunk: Uint8Array) {
      let begin = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, begin)) {
        yield line.end(chunk.subarray(begin, end))
        begin = end + 1
      }
      line.append(chunk.subarray(begin))
    }
    return octets.pipe(
      Stream.mapConcat(read),
      Stream.concat(Stream.sync(() => line.end(Buffer.alloc(0)))),
      Stream.filter((one) => !isBlank(one))
    )
  })

type Responses = Chunk.Chunk<string | Uint8Array>

/** Writes each chunk at once: the sinks of the library call themselves for each element, which overflows the stack. */
export const inOneWrite = <A, L, E, R>(sink: Sink.Sink<A, string | Uint8Array, L, E, R>) =>
  Sink.mapInputChunks(sink, (responses: Responses) =>
    Chunk.of(Buffer.concat(Array.from(responses, (response) => Buffer.from(response))))
  )

/** The maximum length of the responses that are not written yet, in UTF-16 code units. */
const maxUnwritten = 4 * 1024 * 1024

/** Waits until standard output takes more: the sink writes its last chunk without this wait. */
const awaitDrain = Effect.async<void>((resume) => {
  if (process.stdout.writableNeedDrain) process.stdout.once("drain", () => resume(Effect.void))
  else resume(Effect.void)
})

/**
 * Messages over standard input and output. The library reads without a limit: while responses wait for a client that does
 * not read them, no further message is read.
 */
export const StdioProtocol = Layer.unwrapEffect(
  Effect.gen(function* () {
    const serialization = yield* RpcSerialization.RpcSerialization
    const room = yield* Effect.makeLatch(true)
    let unwritten = 0
    const change = (length: number) => {
      unwritten += length
      if (unwritten < maxUnwritten) room.unsafeOpen()
      else room.unsafeClose()
    }
    const counted = RpcSerialization.RpcSerialization.of({
      ...serialization,
      unsafeMake: () => {
        const parser = serialization.unsafeMake()
        return {
          decode: parser.decode,
          encode: (response) => {
            const text = parser.encode(response)
            change(text?.length ?? 0)
            return text
          }
        }
      }
    })
    return RpcServer.layerProtocolStdio({
      stdin: messageLines(NodeStream.stdin).pipe(Stream.tap(() => room.await)),
      stdout: Sink.mapInputChunksEffect(inOneWrite(NodeSink.stdout), (responses: Responses) =>
        Effect.map(awaitDrain, () => {
          change(-Chunk.reduce(responses, 0, (length, response) => length + response.length))
          return responses
        })
      )
    }).pipe(Layer.provide(Layer.succeed(RpcSerialization.RpcSerialization, counted)))
  })
)
