import { Data, Effect, Stream } from "effect"
import type { SMTPServerDataStream } from "smtp-server"
import { LineBreaks } from "./LineBreaks.js"

/** A refused mail, with the SMTP reply. */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly code: number
  readonly message: string
}> {}

/** The client closed the connection before the end of the data. */
export class SessionLost extends Data.TaggedError("SessionLost") {}

/** A mail of at most this many octets needs no permit: memory suffices for one per connection. */
const smallMailSize = 256 * 1024

/**
 * Reads the data of a mail, and discards a mail that will be refused. A mail over 256 KiB waits for a permit of
 * `largeMailSlots`, which is held until the scope closes.
 */
export const readOctets = Effect.fnUntraced(function* (stream: SMTPServerDataStream, largeMailSlots: Effect.Semaphore) {
  const chunks: Array<Buffer> = []
  const breaks = new LineBreaks()
  let size = 0
  let hasSlot = false
  yield* Stream.runForEach(
    Stream.fromAsyncIterable<Buffer, SessionLost>(stream, () => new SessionLost()),
    Effect.fnUntraced(function* (chunk: Buffer) {
      breaks.push(chunk)
      if (breaks.hasBare || stream.sizeExceeded) {
        chunks.length = 0
        return
      }
      chunks.push(chunk)
      size += chunk.length
      if (size <= smallMailSize || hasSlot) return
      hasSlot = true
      yield* Effect.acquireRelease(largeMailSlots.take(1), () => largeMailSlots.release(1))
    })
  )
  if (stream.sizeExceeded) return yield* new MailRefused({ code: 552, message: "5.3.4 The mail is too large" })
  if (breaks.endsBare) {
    return yield* new MailRefused({ code: 550, message: "5.6.0 The message contains a bare CR or LF" })
  }
  return Buffer.concat(chunks)
})
