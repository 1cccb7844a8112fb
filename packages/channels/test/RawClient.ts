import { once } from "node:events"
import { connect, type Socket } from "node:net"
import tls from "node:tls"
import { Deferred, Effect, Queue } from "effect"

/** The command that authenticates with this password, as any user. */
export const authPlain = (password: string): string =>
  `AUTH PLAIN ${Buffer.from(`\0any\0${password}`).toString("base64")}`

/** Upgrades a client's socket to TLS, after the reply to STARTTLS. */
export const upgrade = ({ socket }: { readonly socket: Socket }) =>
  Effect.gen(function* () {
    socket.removeAllListeners("data")
    const replies = yield* Queue.unbounded<string>()
    const secure = yield* Effect.async<tls.TLSSocket>((resume) => {
      const open = tls.connect({ socket, rejectUnauthorized: false }, () => resume(Effect.succeed(open)))
    })
    secure.on("data", (chunk) => {
      for (const line of String(chunk).split("\r\n")) if (/^\d{3} /.test(line)) replies.unsafeOffer(line)
    })
    const sendLine = (line: string) =>
      Effect.zipRight(
        Effect.sync(() => secure.write(`${line}\r\n`)),
        Queue.take(replies)
      )
    return { sendLine, protocol: secure.getProtocol(), replies }
  })

/** A minimal SMTP client that can send invalid protocol, which a library would not. */
export const rawClient = (port: number, localAddress = "127.0.0.1") =>
  Effect.gen(function* () {
    const replies = yield* Queue.unbounded<string>()
    const socket = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const open = connect({ port, host: "127.0.0.1", localAddress })
        open.on("error", () => undefined)
        await once(open, "connect")
        return open
      }),
      (open) => Effect.sync(() => open.destroy())
    )
    const ended = yield* Deferred.make<void>()
    socket.once("close", () => Deferred.unsafeDone(ended, Effect.void))
    let onLine: (line: string) => void = () => undefined
    let buffered = ""
    socket.on("data", (chunk) => {
      const lines = (buffered + chunk.toString()).split("\r\n")
      buffered = lines.pop() ?? ""
      for (const line of lines) onLine(line)
      for (const line of lines) if (/^\d{3} /.test(line)) replies.unsafeOffer(line)
    })
    const reply = Queue.take(replies)
    /** Sends a line and returns the last line of the reply. */
    const sendLine = (line: string) =>
      Effect.zipRight(
        Effect.sync(() => socket.write(`${line}\r\n`)),
        reply
      )
    /** Writes octets, and waits until the socket has flushed them. */
    const writeAll = (octets: string | Uint8Array) =>
      Effect.async<void>((resume) => void socket.write(octets, () => resume(Effect.void)))
    const greeting = yield* reply
    return {
      greeting,
      reply,
      sendLine,
      writeAll,
      socket,
      /** Completes when the server has closed the connection. */
      ended: Deferred.await(ended),
      /** Passes every line of every reply to the listener. */
      onLine: (listener: (line: string) => void) => {
        onLine = listener
      },
      write: (octets: string | Uint8Array) => socket.write(octets),
      hangUp: () => socket.destroy()
    }
  })
