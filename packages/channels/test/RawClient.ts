import { once } from "node:events"
import { connect } from "node:net"
import { Effect, Queue } from "effect"

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
    let buffered = ""
    socket.on("data", (chunk) => {
      const lines = (buffered + chunk.toString()).split("\r\n")
      buffered = lines.pop() ?? ""
      for (const line of lines) if (/^\d{3} /.test(line)) replies.unsafeOffer(line)
    })
    const reply = Queue.take(replies)
    const say = (line: string) =>
      Effect.zipRight(
        Effect.sync(() => socket.write(`${line}\r\n`)),
        reply
      )
    yield* reply
    return { reply, say, write: (text: string) => socket.write(text), hangUp: () => socket.destroy() }
  })
