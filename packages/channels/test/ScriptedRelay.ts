import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { Effect, Queue } from "effect"

/**
 * A reply, no reply (`silence`), a closed connection (`drop`), or a reply after `after` milliseconds. `isConcurrent`: the
 * next commands are executed at once.
 */
export type ScriptedReply =
  | string
  | "silence"
  | "drop"
  | {
      readonly reply: string
      readonly after: number
      readonly isConcurrent?: boolean
      readonly beforeReply?: () => void
    }

/** The stages of a session that a script can control. */
export type Stage = "greeting" | "EHLO" | "HELO" | "STARTTLS" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "dot"
/** The replies by stage. A function gets the command line and the number of the connection. */
export type Script = Partial<Record<Stage, ScriptedReply | ((line: string, connection: number) => ScriptedReply)>>

const defaultReplies: Record<Stage, string> = {
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

const isStage = (verb: string): verb is Stage => verb in defaultReplies

/** An SMTP server, on a free port by default, that can misbehave at every stage, which an SMTP library can't. */
export const scriptedRelay = (script: Script = {}, { host, port: fixed } = { host: "127.0.0.1", port: 0 }) =>
  Effect.gen(function* () {
    const commands = yield* Queue.unbounded<string>()
    const closed = yield* Queue.unbounded<number>()
    const mails: Array<string> = []
    const sockets = new Set<Socket>()
    let connections = 0

    const serve = (socket: Socket) => {
      const connection = ++connections
      socket.setNoDelay(true)
      let buffered = ""
      let inData = false
      let isWaiting = false
      const reply = (stage: Stage, line: string): string => {
        const scripted = script[stage] ?? defaultReplies[stage]
        const chosen = typeof scripted === "function" ? scripted(line, connection) : scripted
        const text = typeof chosen === "string" ? chosen : chosen.reply
        if (typeof chosen !== "string") {
          isWaiting = chosen.isConcurrent !== true
          setTimeout(() => {
            isWaiting = false
            chosen.beforeReply?.()
            socket.write(`${text}\r\n`, "latin1")
            readOn()
          }, chosen.after)
        } else if (text === "drop") socket.destroy()
        else if (text !== "silence") socket.write(`${text}\r\n`, "latin1")
        return text
      }
      const execute = (line: string) => {
        commands.unsafeOffer(line)
        const verb = line.slice(0, 8).split(/[ :]/)[0]?.toUpperCase() ?? ""
        if (verb === "QUIT") socket.end("221 Bye\r\n")
        else if (!isStage(verb)) socket.write("250 OK\r\n")
        else if (reply(verb, line).startsWith("354")) inData = true
      }
      const readOn = () => {
        while (!isWaiting && !socket.destroyed) {
          const end = buffered.indexOf(inData ? "\r\n.\r\n" : "\r\n")
          if (end < 0) return
          const text = buffered.slice(0, end)
          buffered = buffered.slice(end + (inData ? 5 : 2))
          if (!inData) execute(text)
          else {
            inData = false
            mails.push(text)
            commands.unsafeOffer(".")
            reply("dot", text)
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
      reply("greeting", "")
    }

    const server = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const listening = createServer(serve).listen(fixed, host)
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

    /** Waits for a command that starts with this text. */
    const awaitCommand = (start: string): Effect.Effect<string> =>
      Effect.repeat(Queue.take(commands), { until: (line) => line.startsWith(start) })

    /** Refuses new connections until `listen` is called. */
    const refuse = () => void server.close()
    const listen = () => {
      if (!server.listening) server.listen(port, host)
    }

    /** Closes every connection. */
    const hangUp = () => sockets.forEach((socket) => void socket.destroy())

    return { port, mails, awaitCommand, closed, hangUp, refuse, listen, connections: () => connections }
  })
