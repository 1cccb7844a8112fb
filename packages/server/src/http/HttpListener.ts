import type { IncomingMessage, Server } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { HttpMiddleware } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { smallBody } from "@switchboard/api/Annotations"
import { consoleHttp } from "@switchboard/api/console/ConsoleHttp"
import { Http } from "@switchboard/api/Http"
import { AuthenticationLimit } from "@switchboard/api/http/AuthorizationHttp"
import { BodyBudget } from "@switchboard/api/http/body/BodyBudget"
import { isWithin, Serving, type ServingPhase } from "@switchboard/api/http/HttpContext"
import { nextTurn } from "@switchboard/services/NextTurn"
import { addressNetwork, plainAddress } from "@switchboard/services/network/AddressNetwork"
import { uploadsPath } from "@switchboard/services/objects/UploadLinks"
import { Duration, Effect, Layer, Option, Ref, Schedule } from "effect"
import { Settings } from "../settings/Settings.js"
import { Health, LocalMetrics, listenFailed } from "./Health.js"
import { type RequestLimits, refuseSocket, serverWithin } from "./RequestLimits.js"

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

/** The build of the console. The path is the same from this file and from the bundle, dist/program. */
const folder = fileURLToPath(new URL("../../../console/dist/page", import.meta.url))

/** Serves the console under `/console/`. */
const ConsoleLive = consoleHttp(folder)

/** In milliseconds. */
const limits: Omit<RequestLimits, "keepAliveTimeout"> = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  idleTimeout: 10_000,
  maxUploadTime: 15 * 60_000,
  checkInterval: 1_000
}

/**
 * The minimum rate of large bodies, in octets per second. Uploads of documents are streamed to their store; other bodies
 * occupy memory until they are complete (BodyBudget.ts).
 */
const minRate = ({ headers, url = "" }: IncomingMessage) => {
  if (Number(headers["content-length"]) <= smallBody) return null
  return url.startsWith(uploadsPath) ? 64_000 : 256_000
}

/** The time in which the next request of an open connection is still served, with `Connection: close`. */
const closeNotice = "500 millis"

/** Paths without traces: monitoring requests them every few seconds. */
const probes = ["/healthz", "/readyz", "/metrics"]

/** Connections without any request yet, opened in advance by browsers and proxies. Node does not count them as idle. */
const unusedConnections = (server: Server) => {
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
 * Waits for a turn of the event loop without a new connection; a turn accepts at most one. When a listener closes, the
 * kernel resets the established connections that are not accepted yet, and their requests are lost.
 */
const acceptAll = (server: Server) =>
  Effect.suspend(() => {
    let isNew = true
    const accepted = () => {
      isNew = true
    }
    const turn = Effect.suspend(() => {
      isNew = false
      return nextTurn
    })
    server.on("connection", accepted)
    // The first turn may be a partial one.
    return Effect.zipRight(nextTurn, Effect.repeat(turn, { until: () => !isNew, times: 1_000 })).pipe(
      Effect.ensuring(Effect.sync(() => server.off("connection", accepted)))
    )
  })

/**
 * Stops the server gracefully: it accepts no connections, responds to requests with `Connection: close`, closes idle
 * connections after `closeNotice`, and after `grace` all others.
 */
const drain = (
  server: Server,
  unused: () => ReadonlyArray<Socket>,
  serving: Ref.Ref<ServingPhase>,
  grace: Duration.Duration
) =>
  Effect.gen(function* () {
    yield* Ref.set(serving, "closing")
    yield* acceptAll(server)
    // Closes only the listener: http.Server.close would also close connections whose request is being received.
    yield* Effect.sync(() => void NetServer.prototype.close.call(server))
    yield* Effect.sleep(closeNotice)
    yield* Ref.set(serving, "draining")
    const closeUnused = Effect.sync(() => {
      server.closeIdleConnections()
      for (const socket of unused()) socket.destroy()
    })
    yield* closeUnused.pipe(
      Effect.zipRight(connections(server)),
      Effect.repeat({ until: (count) => count === 0, schedule: Schedule.spaced("20 millis") }),
      Effect.timeoutOption(grace)
    )
    yield* Effect.sync(() => server.closeAllConnections())
  })

/** Serves the API. Releasing the layer waits for requests in progress, at most `SHUTDOWN_GRACE`. */
export const HttpListener = Settings.layer((settings) => {
  const { connectionsPerAddress: perAddress, host, keepAliveTimeout, port, shutdownGrace, trustedProxies } = settings
  const server = serverWithin({ ...limits, keepAliveTimeout: Duration.toMillis(keepAliveTimeout) }, minRate)
  limitConnections(server, { perAddress, isTrusted: isWithin(trustedProxies) })
  const unused = unusedConnections(server)
  const Drain = Layer.scopedDiscard(
    Effect.flatMap(Serving, (serving) => Effect.addFinalizer(() => drain(server, unused, serving, shutdownGrace)))
  )
  return Drain.pipe(
    Layer.provide(
      Layer.provide(Http, [Health, LocalMetrics, ConsoleLive, AuthenticationLimit.Default, BodyBudget.Default])
    ),
    Layer.provideMerge(
      Layer.mapError(
        NodeHttpServer.layer(() => server, { host, port }),
        listenFailed("The API", { host, port, setting: "PORT" })
      )
    ),
    // Without a collector, tracing would only cost: the platform parses the URL and copies the headers of each request.
    HttpMiddleware.withTracerDisabledWhen(({ url }) => Option.isNone(settings.otlpEndpoint) || probes.includes(url))
  )
})
