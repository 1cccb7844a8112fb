import { Data, Effect, Stream } from "effect"
import type { SMTPServerDataStream } from "smtp-server"

const cr = 0x0d
const lf = 0x0a

/**
 * Detects a bare CR or LF in a stream of octets (RFC 5321 section 2.3.8). Servers that disagree on line ends allow SMTP
 * smuggling (CVE-2023-51764).
 */
export class LineBreaks {
  #afterCr = false
  #bare = false

  /** Examines the next octets. */
  push(octets: Uint8Array): void {
    if (this.#bare || octets.length === 0) return
    this.#bare = this.#startsBare(octets) || this.#holdsBareCr(octets) || this.#holdsBareLf(octets)
    this.#afterCr = octets[octets.length - 1] === cr
  }

  /** Whether a bare CR or LF was found so far. A CR at the end is not yet bare: its LF may follow. */
  get hasBare(): boolean {
    return this.#bare
  }

  /** Whether the complete stream has a bare CR or LF. */
  get endsBare(): boolean {
    return this.#bare || this.#afterCr
  }

  #startsBare(octets: Uint8Array): boolean {
    return this.#afterCr !== (octets[0] === lf)
  }

  #holdsBareCr(octets: Uint8Array): boolean {
    for (let at = octets.indexOf(cr); at >= 0; at = octets.indexOf(cr, at + 1)) {
      if (at + 1 < octets.length && octets[at + 1] !== lf) return true
    }
    return false
  }

  #holdsBareLf(octets: Uint8Array): boolean {
    for (let at = octets.indexOf(lf, 1); at >= 0; at = octets.indexOf(lf, at + 1)) {
      if (octets[at - 1] !== cr) return true
    }
    return false
  }
}

/** A refused mail, with the SMTP reply. */
export class SendRefused extends Data.TaggedError("SendRefused")<{
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
  if (stream.sizeExceeded) return yield* new SendRefused({ code: 552, message: "5.3.4 The mail is too large" })
  if (breaks.endsBare) {
    return yield* new SendRefused({ code: 550, message: "5.6.0 The message contains a bare CR or LF" })
  }
  return Buffer.concat(chunks)
})
