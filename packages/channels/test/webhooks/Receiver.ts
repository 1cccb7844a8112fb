import { once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { createServer as createTlsServer, type ServerOptions } from "node:https"
import type { Socket } from "node:net"
import { Effect, Queue } from "effect"

/** A received request. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export interface ReceiverOptions {
  readonly address?: string
  readonly port?: number
  readonly tls?: ServerOptions
}

const read = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

/** An HTTP server that calls `respond` after each complete request, and counts connections. */
export const receiver = (
  respond: (response: ServerResponse, request: Received) => void,
  { address = "127.0.0.1", port = 0, tls }: ReceiverOptions = {}
) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const sockets = new Set<Socket>()
    const closed = yield* Queue.unbounded<number>()
    let connections = 0

    const listener: RequestListener = async (request, response) => {
      const { headers, method = "", url: path = "" } = request
      const complete = { method, path, headers, body: await read(request) }
      received.push(complete)
      respond(response, complete)
    }
    const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
    server.on("connection", (socket: Socket) => {
      const number = ++connections
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => {
        sockets.delete(socket)
        closed.unsafeOffer(number)
      })
    })

    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(port, address), "listening")),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          for (const socket of sockets) socket.destroy()
        })
    )
    const bound = server.address()
    const boundPort = typeof bound === "object" && bound !== null ? bound.port : 0

    return {
      port: boundPort,
      url: `${tls === undefined ? "http" : "https"}://${address}:${boundPort}`,
      received,
      connections: () => connections,
      /** The numbers of connections, as they end. */
      closed,
      hangUp: Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
      })
    }
  })
