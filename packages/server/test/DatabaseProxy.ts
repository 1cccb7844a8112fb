import { connect, createServer, type Server, type Socket } from "node:net"
import { Effect, Redacted } from "effect"
import { Statements } from "./Statements.js"

/**
 * What becomes of a statement: it is passed; the connection is cut before the server has it, or when the server has
 * answered it and the client does not have the answer.
 */
export type Passage = "pass" | "before" | "after"

const end = (socket: Socket) => void socket.destroy()

/** Between the service and its database: passes octets, unless the test has it do otherwise. */
class Proxy {
  private readonly sockets = new Set<Socket>()
  private frozen = false
  private delay = 0
  private judge: ((statement: string) => Passage) | undefined

  constructor(
    readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number }
  ) {
    server.on("connection", (client) => this.pass(client, connect(this.target)))
  }

  /** Whether the connection goes on with what the client has sent. */
  private judged(statements: ReadonlyArray<string>): Passage {
    for (const statement of statements) {
      const passage = this.judge?.(statement) ?? "pass"
      if (passage !== "pass") return passage
    }
    return "pass"
  }

  private pass(client: Socket, upstream: Socket): void {
    const statements = new Statements()
    let isAnswerDropped = false
    for (const [from, to] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      this.sockets.add(from)
      from.on("data", (chunk) => {
        const passage = from === client ? this.judged(statements.read(chunk)) : isAnswerDropped ? "before" : "pass"
        if (passage === "before") return end(from)
        isAnswerDropped ||= passage === "after"
        if (this.delay === 0 || from === client) to.write(chunk)
        else setTimeout(() => to.write(chunk), this.delay)
      })
      from.on("error", () => undefined)
      from.on("close", () => {
        this.sockets.delete(from)
        to.destroy()
      })
      if (this.frozen) from.pause()
    }
  }

  /** The server hangs: connections are made, nothing is answered. */
  readonly freeze = Effect.sync(() => {
    this.frozen = true
    for (const socket of this.sockets) socket.pause()
  })

  /** It goes on where it was. */
  readonly thaw = Effect.sync(() => {
    this.frozen = false
    for (const socket of this.sockets) socket.resume()
  })

  /** A path is lost without a word: what is open stays silent for good, what is opened from now on works. */
  readonly lose = Effect.sync(() => {
    for (const socket of this.sockets) socket.pause()
  })

  /** Every answer comes this many milliseconds late; at 0 it does no longer, on new connections. */
  readonly slow = (delay: number) =>
    Effect.suspend(() => {
      this.delay = delay
      return delay === 0 ? this.cut : Effect.void
    })

  /** Each statement is judged by this function from now on. */
  readonly judgeStatements = (judge: (statement: string) => Passage) =>
    Effect.sync(() => {
      this.judge = judge
    })

  /** Every connection is cut. */
  readonly cut = Effect.sync(() => this.sockets.forEach(end))
}

/** A proxy before the database of an address, and the address that leads through it. */
export const databaseProxy = (address: Redacted.Redacted<string>) =>
  Effect.acquireRelease(
    Effect.async<{ readonly proxy: Proxy; readonly url: string }>((resume) => {
      const url = new URL(Redacted.value(address))
      const server = createServer()
      const proxy = new Proxy(server, { host: url.hostname, port: Number(url.port) })
      server.listen(0, "127.0.0.1", () => {
        const listening = server.address()
        url.port = String(typeof listening === "object" && listening !== null ? listening.port : 0)
        url.hostname = "127.0.0.1"
        resume(Effect.succeed({ proxy, url: url.href }))
      })
    }),
    ({ proxy }) =>
      Effect.zipRight(
        proxy.cut,
        Effect.async<void>((resume) => void proxy.server.close(() => resume(Effect.void)))
      )
  )
