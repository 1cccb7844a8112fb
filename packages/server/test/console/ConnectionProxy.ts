import { connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

/** A TCP proxy to the service that can close its connections. */
export const connectionProxy = (baseUrl: string) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly cut: () => void; readonly close: () => void }>((resume) => {
      const { hostname, port } = new URL(baseUrl)
      const sockets = new Set<Socket>()
      const cut = () => sockets.forEach((socket) => void socket.destroy())
      const server = createServer((client) => {
        const upstream = connect(Number(port), hostname)
        for (const [from, to] of [
          [client, upstream],
          [upstream, client]
        ] as const) {
          sockets.add(from)
          from.pipe(to)
          from.on("error", () => undefined)
          from.on("close", () => {
            sockets.delete(from)
            to.destroy()
          })
        }
      })
      const close = () => {
        server.close()
        cut()
      }
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const listening = typeof address === "object" ? address?.port : undefined
        resume(Effect.succeed({ url: `http://127.0.0.1:${listening}`, cut, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )
