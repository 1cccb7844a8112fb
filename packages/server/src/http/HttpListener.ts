import type { IncomingMessage, Server } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import { HttpMiddleware } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { smallBody } from "@switchboard/api/Annotations"
import { Http } from "@switchboard/api/http"
import { AuthenticationLimit } from "@switchboard/api/http/AuthenticationLimit"
import { BodyBudget } from "@switchboard/api/http/body/BodyBudget"
import { isWithin } from "@switchboard/api/http/ClientAddress"
import { Draining } from "@switchboard/api/http/HttpSettings"
import { uploadsPath } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { type Duration, Effect, Layer, Option, Ref, Schedule } from "effect"
import { Settings } from "../settings/Settings.js"
import { limitConnections } from "./ConnectionLimit.js"
import { Health, LocalMetrics } from "./Health.js"
import { listenFailed } from "./ListenFailed.js"
import { serverWithin } from "./RequestLimits.js"

/** Slow senders are cut off. */
const limits = { headers: 10_000, whole: 30_000, silence: 10_000, longest: 15 * 60_000, look: 1_000 }

/**
 * How slowly large bodies may come, in octets a second. Documents go to their store as they come; other bodies are held
 * in memory (BodyBudget.ts).
 */
const slowest = ({ headers, url = "" }: IncomingMessage) => {
  if (Number(headers["content-length"]) <= smallBody) return null
  return url.startsWith(uploadsPath) ? 64_000 : 256_000
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

const turnOfLoop = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/**
 * Waits for a turn of the event loop without a new connection: a turn accepts one at most. Those that were made and
 * not accepted are reset by the system when their listener closes, with the requests that they carry.
 */
const acceptAll = (server: Server) =>
  Effect.suspend(() => {
    let isNew = true
    const accepted = () => {
      isNew = true
    }
    const turn = Effect.suspend(() => {
      isNew = false
      return turnOfLoop
    })
    server.on("connection", accepted)
    // The first turn may be the rest of one.
    return Effect.zipRight(turnOfLoop, Effect.repeat(turn, { until: () => !isNew, times: 1_000 })).pipe(
      Effect.ensuring(Effect.sync(() => server.off("connection", accepted)))
    )
  })

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
    yield* acceptAll(server)
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

/** Serves the API. Its end lets requests under way end. */
export const HttpListener = Settings.layer((settings) => {
  const { connectionsPerAddress: perAddress, host, port, shutdownGrace, trustedProxies } = settings
  const server = serverWithin(limits, slowest)
  limitConnections(server, { perAddress, isTrusted: isWithin(trustedProxies) })
  const silent = silentConnections(server)
  const Drain = Layer.scopedDiscard(
    Effect.flatMap(Draining, (draining) => Effect.addFinalizer(() => drain(server, silent, draining, shutdownGrace)))
  )
  return Drain.pipe(
    Layer.provide(Layer.provide(Http, [Health, LocalMetrics, AuthenticationLimit.Default, BodyBudget.Default])),
    Layer.provideMerge(
      Layer.mapError(
        NodeHttpServer.layer(() => server, { host, port }),
        listenFailed("The API", { host, port, setting: "PORT" })
      )
    ),
    // Without a collector of spans, the platform need not parse the address and gather the headers of each request.
    HttpMiddleware.withTracerDisabledWhen(({ url }) => Option.isNone(settings.otlpEndpoint) || probes.includes(url))
  )
})
