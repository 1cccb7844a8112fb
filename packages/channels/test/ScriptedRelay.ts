import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { Effect, Queue } from "effect"

/** What is answered: a reply, nothing, the end of the connection, or a reply after so many milliseconds. */
export type Answer = string | "silence" | "drop" | { readonly reply: string; readonly after: number }

/** Where in a session a relay can be told what to answer; it is given the line, and how many connections came so far. */
export type Stage = "greeting" | "EHLO" | "HELO" | "STARTTLS" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "dot"
export type Script = Partial<Record<Stage, Answer | ((line: string, connection: number) => Answer)>>

const usual: Record<Stage, string> = {
  greeting: "220 relay.test ESMTP",
  EHLO: "250-relay.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 DSN",
  HELO: "250 relay.test",
  STARTTLS: "454 4.7.0 TLS not available",
  AUTH: "235 2.7.0 Welcome",
  MAIL: "250 2.1.0 OK",
  RCPT: "250 2.1.5 OK",
  DATA: "354 Go ahead",
  dot: "250 2.0.0 Ok: queued as 4XyZ"
}

const isStage = (verb: string): verb is Stage => verb in usual

/** A relay that misbehaves as it is told, on a free port, byte by byte: no SMTP library would answer all of this. */
export const scriptedRelay = (script: Script = {}) =>
  Effect.gen(function* () {
    const commands = yield* Queue.unbounded<string>()
    const closed = yield* Queue.unbounded<number>()
    const mails: Array<string> = []
    const sockets = new Set<Socket>()
    let connections = 0

    const serve = (socket: Socket) => {
      const connection = ++connections
      let buffered = ""
      let inData = false
      let isWaiting = false
      const answer = (stage: Stage, line: string): string => {
        const told = script[stage] ?? usual[stage]
        const given = typeof told === "function" ? told(line, connection) : told
        const reply = typeof given === "string" ? given : given.reply
        if (typeof given !== "string") {
          isWaiting = true
          setTimeout(() => {
            isWaiting = false
            socket.write(`${reply}\r\n`)
            readOn()
          }, given.after)
        } else if (reply === "drop") socket.destroy()
        else if (reply !== "silence") socket.write(`${reply}\r\n`)
        return reply
      }
      const obey = (line: string) => {
        commands.unsafeOffer(line)
        const verb = line.slice(0, 8).split(/[ :]/)[0]?.toUpperCase() ?? ""
        if (verb === "QUIT") socket.end("221 Bye\r\n")
        else if (!isStage(verb)) socket.write("250 OK\r\n")
        else if (answer(verb, line).startsWith("354")) inData = true
      }
      const readOn = () => {
        while (!isWaiting && !socket.destroyed) {
          const end = buffered.indexOf(inData ? "\r\n.\r\n" : "\r\n")
          if (end < 0) return
          const text = buffered.slice(0, end)
          buffered = buffered.slice(end + (inData ? 5 : 2))
          if (!inData) obey(text)
          else {
            inData = false
            mails.push(text)
            commands.unsafeOffer(".")
            answer("dot", text)
          }
        }
      }
      socket.on("data", (chunk) => {
        buffered += chunk.toString("latin1")
        readOn()
      })
      socket.on("error", () => socket.destroy())
      socket.on("close", () => {
        sockets.delete(socket)
        closed.unsafeOffer(connection)
      })
      sockets.add(socket)
      answer("greeting", "")
    }

    const server = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const listening = createServer(serve).listen(0, "127.0.0.1")
        await once(listening, "listening")
        return listening
      }),
      (listening) =>
        Effect.async<void>((resume) => {
          listening.close(() => resume(Effect.void))
          for (const socket of sockets) socket.destroy()
        })
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0

    /** Waits until a command that begins like this came. */
    const heard = (start: string): Effect.Effect<string> =>
      Effect.repeat(Queue.take(commands), { until: (line) => line.startsWith(start) })

    /** Refuses connections until `listen`. */
    const refuse = () => void server.close()
    const listen = () => {
      if (!server.listening) server.listen(port, "127.0.0.1")
    }

    /** Ends every connection. */
    const hangUp = () => sockets.forEach((socket) => void socket.destroy())

    return { port, mails, heard, closed, hangUp, refuse, listen, connections: () => connections }
  })
