import { createServer, type Server } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { HttpMiddleware } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Draining, HttpSettings } from "@switchboard/api/HttpSettings"
import { Http } from "@switchboard/api/http"
import { type Duration, Effect, Layer, Option, Redacted, Ref, Schedule } from "effect"
import { Health } from "./Health.js"
import type { Settings } from "./Settings.js"

/** Slow senders are cut off: headers within 10 s, the whole request within 30. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000
}

/** Clients with an open connection learn from their next answer that it closes: before that it is not cut. */
const notice = "500 millis"

/** What machines ask every few seconds is not worth a trace. */
const probes = ["/healthz", "/readyz", "/metrics"]

/** Connections on which nothing was ever said: made in advance, by a browser or a proxy. To node they are not idle. */
const silentConnections = (server: Server) => {
  const open = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    open.add(socket)
    socket.on("close", () => open.delete(socket))
  })
  return () => [...open].filter(({ bytesRead }) => bytesRead === 0)
}

const connections = (server: Server) =>
  Effect.async<number>((resume) => void server.getConnections((_, count) => resume(Effect.succeed(count))))

/**
 * Lets what is under way end: nobody new is let in, open connections are told to close, and idle ones are closed.
 */
const drain = (
  server: Server,
  silent: () => ReadonlyArray<Socket>,
  draining: Ref.Ref<boolean>,
  grace: Duration.Duration
) =>
  Effect.gen(function* () {
    yield* Ref.set(draining, true)
    // Only the listener: http.Server.close would also cut connections whose client is just writing.
    yield* Effect.sync(() => void NetServer.prototype.close.call(server))
    yield* Effect.sleep(notice)
    const closeUnused = Effect.sync(() => {
      server.closeIdleConnections()
      for (const socket of silent()) socket.destroy()
    })
    yield* closeUnused.pipe(
      Effect.zipRight(connections(server)),
      Effect.repeat({ until: (count) => count === 0, schedule: Schedule.spaced("20 millis") }),
      Effect.timeoutOption(grace)
    )
    yield* Effect.sync(() => server.closeAllConnections())
  })

const malformed = JSON.stringify({ _tag: "BadRequestError", message: "The request is not well-formed HTTP" })

/** What can't be read as HTTP has no route and no fiber: it still gets a tagged body. */
const answerMalformed = (_: Error, socket: Duplex) => {
  if (!socket.writable) return void socket.destroy()
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${malformed.length}\r\nConnection: close\r\n\r\n${malformed}`
  )
}

/** Serves the API, and ends gently with its scope. Answers where it listens. */
export const listen = Effect.fnUntraced(function* (settings: Settings) {
  const server = createServer(limits)
  server.on("clientError", answerMalformed)
  const silent = silentConnections(server)
  const draining = yield* Ref.make(false)
  const { port } = settings
  yield* Layer.build(
    Http.pipe(
      Layer.provide(Health(draining, Option.isNone(settings.metricsPort))),
      Layer.provide(Layer.succeed(Draining, draining)),
      Layer.provide(
        Layer.succeed(HttpSettings, {
          trustedProxies: settings.trustedProxies,
          corsOrigins: settings.corsOrigins,
          secureCookies: Option.exists(settings.publicUrl, (url) => Redacted.value(url).startsWith("https:"))
        })
      ),
      Layer.provide(NodeHttpServer.layer(() => server, { host: settings.host, port })),
      // Where nobody collects spans, the platform need not parse the address and gather the headers of each request.
      HttpMiddleware.withTracerDisabledWhen(({ url }) => Option.isNone(settings.otlpEndpoint) || probes.includes(url))
    )
  )
  yield* Effect.addFinalizer(() => drain(server, silent, draining, settings.shutdownGrace))
  const address = server.address()
  return { port: typeof address === "object" && address !== null ? address.port : port }
})
