import type { Server } from "node:http"
import type { Socket } from "node:net"
import { addressNetwork, plainAddress } from "@switchboard/api/http/ClientAddress"
import { refuseSocket } from "./RefuseSocket.js"

/** Refuses connections of an address beyond `perAddress`. Trusted proxies have no limit: they forward many clients. */
export const limitConnections = (
  server: Server,
  { isTrusted, perAddress }: { readonly perAddress: number; readonly isTrusted: (address: string) => boolean }
): void => {
  const open = new Map<string, number>()
  if (perAddress === 0) return
  server.on("connection", (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? "")
    if (isTrusted(address)) return
    const network = addressNetwork(address)
    const count = (open.get(network) ?? 0) + 1
    open.set(network, count)
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
    if (count <= perAddress) return
    // Without reads no request of this connection reaches a route.
    socket.pause()
    refuseSocket(socket, "TOO_MANY_CONNECTIONS")
  })
}
