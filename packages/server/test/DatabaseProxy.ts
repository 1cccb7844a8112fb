import { connect, createServer, type Server, type Socket } from "node:net"
import { Effect, Redacted } from "effect"
import { Statements } from "./Statements.js"

/**
 * The fault of a statement: none (`pass`); the connection closes before the statement reaches the server (`before`), or
 * before the response reaches the client (`after`).
 */
export type Passage = "pass" | "before" | "after"

const end = (socket: Socket) => void socket.destroy()

/** A TCP proxy between the service and its database that can inject faults. */
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

  /** The first fault of these statements. */
  private faultOf(statements: ReadonlyArray<string>): Passage {
    for (const statement of statements) {
      const passage = this.judge?.(statement) ?? "pass"
      if (passage !== "pass") return passage
    }
    return "pass"
  }

  private pass(client: Socket, upstream: Socket): void {
    const statements = new Statements()
    let isResponseDropped = false
    for (const [from, to] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      this.sockets.add(from)
      from.on("data", (chunk) => {
        const passage = from === client ? this.faultOf(statements.read(chunk)) : isResponseDropped ? "before" : "pass"
        if (passage === "before") return end(from)
        isResponseDropped ||= passage === "after"
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

  /** The server hangs: it accepts connections, but sends no responses. */
  readonly freeze = Effect.sync(() => {
    this.frozen = true
    for (const socket of this.sockets) socket.pause()
  })

  /** Resumes after `freeze`. */
  readonly thaw = Effect.sync(() => {
    this.frozen = false
    for (const socket of this.sockets) socket.resume()
  })

  /** Open connections stay silent without being closed; new connections work. */
  readonly lose = Effect.sync(() => {
    for (const socket of this.sockets) socket.pause()
  })

  /** Delays responses, in milliseconds. 0 closes all connections; new ones have no delay. */
  readonly slow = (delay: number) =>
    Effect.suspend(() => {
      this.delay = delay
      return delay === 0 ? this.cut : Effect.void
    })

  /** Sets the function that chooses the fault of each statement. */
  readonly judgeStatements = (judge: (statement: string) => Passage) =>
    Effect.sync(() => {
      this.judge = judge
    })

  /** Closes all connections. */
  readonly cut = Effect.sync(() => this.sockets.forEach(end))
}

/** Starts a proxy for a database URL; returns it with its own URL. */
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
