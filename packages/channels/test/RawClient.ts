import { once } from "node:events"
import { connect } from "node:net"
import { Deferred, Effect, Queue } from "effect"

/** A client that speaks SMTP line by line, and does what no library would. */
export const rawClient = (port: number) =>
  Effect.gen(function* () {
    const replies = yield* Queue.unbounded<string>()
    const socket = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const open = connect(port, "127.0.0.1")
        open.on("error", () => undefined)
        await once(open, "connect")
        return open
      }),
      (open) => Effect.sync(() => open.destroy())
    )
    const ended = yield* Deferred.make<void>()
    socket.once("close", () => Deferred.unsafeDone(ended, Effect.void))
    let heard: (line: string) => void = () => undefined
    let buffered = ""
    socket.on("data", (chunk) => {
      const lines = (buffered + chunk.toString()).split("\r\n")
      buffered = lines.pop() ?? ""
      for (const line of lines) heard(line)
      for (const line of lines) if (/^\d{3} /.test(line)) replies.unsafeOffer(line)
    })
    const reply = Queue.take(replies)
    const say = (line: string) =>
      Effect.zipRight(
        Effect.sync(() => socket.write(`${line}\r\n`)),
        reply
      )
    /** Writes, and waits until the other side took it. */
    const pour = (octets: string | Uint8Array) =>
      Effect.async<void>((resume) => void socket.write(octets, () => resume(Effect.void)))
    const greeting = yield* reply
    return {
      greeting,
      reply,
      say,
      pour,
      socket,
      /** The other side closed the connection. */
      ended: Deferred.await(ended),
      /** Hands over every line of every reply. */
      heard: (listener: (line: string) => void) => {
        heard = listener
      },
      write: (octets: string | Uint8Array) => socket.write(octets),
      hangUp: () => socket.destroy()
    }
  })
