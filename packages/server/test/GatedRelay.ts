import { connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

/** A relay that accepts connections but sends no greeting before `open`; then it forwards to the port `target`. */
export const gatedRelay = (target: number) =>
  Effect.acquireRelease(
    Effect.async<{
      readonly port: number
      readonly connections: () => number
      readonly open: Effect.Effect<void>
      readonly close: Effect.Effect<void>
    }>((resume) => {
      const sockets = new Set<Socket>()
      let isOpen = false
      let connections = 0
      const pass = (client: Socket) => {
        const relay = connect(target, "127.0.0.1")
        sockets.add(relay)
        relay.on("error", () => client.destroy())
        client.pipe(relay).pipe(client)
      }
      const server = createServer((client) => {
        connections += 1
        sockets.add(client)
        client.on("error", () => sockets.delete(client))
        if (isOpen) pass(client)
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(
          Effect.succeed({
            port: typeof address === "object" && address !== null ? address.port : 0,
            connections: () => connections,
            open: Effect.sync(() => {
              isOpen = true
              for (const client of [...sockets]) if (!client.destroyed) pass(client)
            }),
            close: Effect.async<void>((done) => {
              server.close(() => done(Effect.void))
              for (const socket of sockets) socket.destroy()
            })
          })
        )
      })
    }),
    ({ close }) => close
  )
