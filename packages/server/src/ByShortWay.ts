import type { RequestListener, Server } from "node:http"
import { shortWay } from "@switchboard/api/shortWay/ShortWay"
import { Effect, FiberRef, LogLevel, Option } from "effect"
import type { Settings } from "./Settings.js"

/** Whoever listens last is the platform: it answers, the others only watch. */
const answering = (server: Server) => {
  const listener = server.rawListeners("request").at(-1)
  if (listener === undefined) return Option.none()
  const ordinary: RequestListener = (request, response) => Reflect.apply(listener, server, [request, response])
  return Option.some({ ordinary, remove: () => Reflect.apply(server.off, server, ["request", listener]) })
}

/**
 * Lets what is asked most in by its short way, until the scope closes: that a process stops is told by the ordinary
 * one. Whoever wants a trace or a line in the log for each request gets them there alone.
 */
export const byShortWay = (server: Server, { otlpEndpoint }: Settings) =>
  Effect.gen(function* () {
    const least = yield* FiberRef.get(FiberRef.currentMinimumLogLevel)
    const platform = answering(server)
    if (Option.isNone(platform) || Option.isSome(otlpEndpoint) || LogLevel.lessThanEqual(least, LogLevel.Debug)) return
    const { ordinary, remove } = platform.value
    const short = (yield* shortWay)(ordinary)
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        remove()
        server.on("request", short)
      }),
      () => Effect.sync(() => void server.off("request", short).on("request", ordinary))
    )
  })
