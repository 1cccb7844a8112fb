import { createServer } from "node:http"
import { HttpServer } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { InboundAddress } from "@switchboard/channels/email/receiving/InboundServer"
import { InboundDestination } from "@switchboard/channels/mailbox/InboundDestination"
import { Console, Context, Duration, Effect, Layer, Option, Redacted, Ref } from "effect"
import { Administration } from "../Administration.js"
import { healthRouter } from "../http/Health.js"
import { listen } from "../http/HttpListener.js"
import { listenFailed } from "../http/ListenFailed.js"
import { Delivery, WorkerConfigLive } from "../layers/Delivery.js"
import { Inbound, Readers, Receiving } from "../layers/Inbound.js"
import { claimMasterKey, MasterKeyLive } from "../layers/MasterKeyLive.js"
import { ObjectStoreLive } from "../layers/Objects.js"
import { RateLimitsLive } from "../layers/RateLimiting.js"
import { Storage } from "../layers/Storage.js"
import { UseCases } from "../layers/UseCases.js"
import { VoiceWork } from "../layers/VoiceWork.js"
import { Webhooks } from "../layers/Webhooks.js"
import type { Settings } from "../Settings.js"
import { Chores } from "./Chores.js"
import { databaseShares } from "./DatabaseShares.js"
import { firstKeyIsKnown, firstStart } from "./FirstStart.js"
import { scopedWithin } from "./ScopedWithin.js"

/** Which parts of the service a process runs. */
export interface Parts {
  readonly api: boolean
  readonly worker: boolean
}

/** Metrics and health on a port of their own, so that they can be kept from callers. */
const MetricsServer = ({ metricsHost: host }: Settings, port: number, draining: Ref.Ref<boolean>) =>
  healthRouter(draining).pipe(
    HttpServer.serve(),
    Layer.provide(
      Layer.mapError(
        NodeHttpServer.layer(createServer, { host, port }),
        listenFailed("Metrics", { host, port, setting: "METRICS_PORT" })
      )
    )
  )

/** Everything that happens without anybody asking. */
const Work = (settings: Settings) =>
  Layer.mergeAll(Chores(settings), Delivery(settings), Inbound, VoiceWork(settings), Webhooks(settings)).pipe(
    Layer.provide(Layer.merge(Readers(settings), WorkerConfigLive(settings)))
  )

/** Where mail comes in if that is another process's affair: where the settings have it. */
const inboundElsewhere = ({ host, inboundSmtpPort: port }: Settings) =>
  port === 0 ? Option.none() : Option.some({ host, port })

/** Where callers reach what listens on this port. */
const baseUrlOf = ({ host, publicUrl }: Settings, port: number) =>
  Option.match(publicUrl, {
    onNone: () => `http://${host}:${port}`,
    onSome: (url) => Redacted.value(url).replace(/\/$/, "")
  })

/** What is waited beyond `SHUTDOWN_GRACE` for connections and the embedded database to close. */
const closeWithin = Duration.seconds(5)

/** Runs the service until it is told to stop. What starts last stops first: the API, then the worker, then the database. */
export const serve = (settings: Settings, parts: Parts) =>
  scopedWithin(Duration.sum(settings.shutdownGrace, closeWithin))(
    Effect.gen(function* () {
      const draining = yield* Ref.make(false)
      const inboundAt = yield* Ref.make(parts.api ? Option.none() : inboundElsewhere(settings))
      const { beside, first } = yield* databaseShares(settings, parts)
      const shared = yield* Layer.build(
        Layer.mergeAll(
          Storage(first),
          MasterKeyLive(settings),
          ObjectStoreLive(settings),
          RateLimitsLive(settings),
          Layer.succeed(InboundDestination, Ref.get(inboundAt))
        )
      )
      yield* Effect.provide(claimMasterKey(settings), Layer.succeedContext(shared))
      const provideShared = Layer.provide(Layer.succeedContext(shared))
      if (parts.worker) {
        const own = Option.match(beside, {
          onNone: () => Effect.succeed(shared),
          onSome: (share) => Effect.map(Layer.build(Storage(share)), (separate) => Context.merge(shared, separate))
        })
        yield* Layer.build(Work(settings).pipe(Layer.provide(Layer.succeedContext(yield* own))))
      }
      if (Option.isSome(settings.metricsPort)) {
        yield* Layer.build(MetricsServer(settings, settings.metricsPort.value, draining).pipe(provideShared))
      }
      if (parts.api) {
        const useCases = yield* Layer.build(Layer.merge(UseCases(settings), Administration).pipe(provideShared))
        const begin = (baseUrl: string) => Effect.provide(firstStart(settings, baseUrl), Layer.succeedContext(useCases))
        // Who knows the key asks as soon as the port is open. One that is shown once waits until nothing can fail.
        if (firstKeyIsKnown(settings)) yield* begin(baseUrlOf(settings, settings.port))
        const { port } = yield* Effect.provide(
          listen(settings, draining),
          Layer.succeedContext(Context.merge(shared, useCases))
        )
        const inbound = yield* Layer.build(
          Receiving(settings).pipe(Layer.provide(Layer.succeedContext(useCases)), provideShared)
        )
        const { host, port: smtpPort } = Context.get(inbound, InboundAddress)
        yield* Ref.set(inboundAt, Option.some({ host, port: smtpPort }))
        yield* Console.log(`Switchboard receives mail on ${host}:${smtpPort}`)
        const baseUrl = baseUrlOf(settings, port)
        if (!firstKeyIsKnown(settings)) yield* begin(baseUrl)
        yield* Console.log(`Switchboard serves ${baseUrl} (the API to read: ${baseUrl}/v1/docs)`)
      }
      if (!parts.api) yield* Console.log("Switchboard delivers (worker)")
      return yield* Effect.never
    })
  )
