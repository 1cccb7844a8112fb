import { Data, Effect, Stream } from "effect"
import type { SMTPServerDataStream } from "smtp-server"
import { LineBreaks } from "./LineBreaks.js"

/** A mail that is not taken, and what the client is told instead of 250. */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly code: number
  readonly message: string
}> {}

/** The client went away in the middle. */
export class SessionLost extends Data.TaggedError("SessionLost") {}

/** A mail of no more than this is read without asking: there is room for one from every connection. */
const smallMail = 256 * 1024

/**
 * Reads a mail to its end, and keeps no more of it than is taken. One that is larger than most waits, and its sender
 * with it, until there is room for it in memory: that room is held for as long as the scope is open.
 */
export const readOctets = Effect.fnUntraced(function* (stream: SMTPServerDataStream, room: Effect.Semaphore) {
  const chunks: Array<Buffer> = []
  const breaks = new LineBreaks()
  let size = 0
  let hasRoom = false
  yield* Stream.runForEach(
    Stream.fromAsyncIterable<Buffer, SessionLost>(stream, () => new SessionLost()),
    Effect.fnUntraced(function* (chunk: Buffer) {
      breaks.see(chunk)
      if (breaks.hasBare || stream.sizeExceeded) {
        chunks.length = 0
        return
      }
      chunks.push(chunk)
      size += chunk.length
      if (size <= smallMail || hasRoom) return
      hasRoom = true
      yield* Effect.acquireRelease(room.take(1), () => room.release(1))
    })
  )
  if (stream.sizeExceeded) return yield* new MailRefused({ code: 552, message: "5.3.4 The mail is too large" })
  if (breaks.endsBare) {
    return yield* new MailRefused({ code: 550, message: "5.6.0 A line of the mail ends with CR or LF alone" })
  }
  return Buffer.concat(chunks)
})
