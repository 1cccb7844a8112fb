import { once } from "node:events"
import { createServer } from "node:http"
import { connect, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { limitConnections } from "@switchboard/server/http/HttpListener"
import { Array, Effect } from "effect"

const listening = (isTrusted: (address: string) => boolean) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((_, response) => response.end("served"))
      limitConnections(server, { perAddress: 5, isTrusted })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      return { server, port: typeof address === "object" && address !== null ? address.port : 0 }
    }),
    ({ server }) => Effect.sync(() => server.close().closeAllConnections())
  )

const opened = (port: number) =>
  Effect.promise(async () => {
    const socket = connect(port, "127.0.0.1")
    socket.on("error", () => undefined)
    await once(socket, "connect")
    return socket
  })

const exchange = (socket: Socket) =>
  Effect.async<string>((resume) => {
    let text = ""
    socket.on("data", (chunk) => {
      text += String(chunk)
    })
    socket.on("close", () => resume(Effect.succeed(text)))
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
  })

const closed = (socket: Socket) =>
  Effect.promise(async () => {
    socket.end()
    if (!socket.closed) await once(socket, "close")
  })

describe("The connection limit of an address", () => {
  it.scopedLive("refuses connections beyond the limit, until one closes", () =>
    Effect.gen(function* () {
      const { port } = yield* listening(() => false)
      const sockets = yield* Effect.forEach(Array.range(1, 5), () => opened(port))
      const refused = yield* Effect.flatMap(opened(port), exchange)
      assert.match(refused, /^HTTP\/1\.1 503 .*\r\nRetry-After: 1\r\n/is)
      assert.match(refused, /"_tag":"ServiceUnavailableError"\}$/)
      assert.notInclude(refused, "served")
      yield* Effect.forEach(sockets.slice(1), closed)
      assert.match(yield* Effect.flatMap(opened(port), exchange), /served$/)
      yield* closed(sockets[0] ?? (yield* opened(port)))
    })
  )

  it.scopedLive("does not apply to trusted proxies", () =>
    Effect.gen(function* () {
      const { port } = yield* listening((address) => address === "127.0.0.1")
      const sockets = yield* Effect.forEach(Array.range(1, 9), () => opened(port))
      const texts = yield* Effect.forEach(sockets, exchange, { concurrency: "unbounded" })
      assert.isTrue(texts.every((text) => text.endsWith("served")))
    })
  )
})
