import type { Worker } from "node:cluster"
import cluster from "node:cluster"
import { availableParallelism } from "node:os"
import { embeddedPostgres } from "@switchboard/store/embedded/EmbeddedPostgres"
import { Array, Deferred, Duration, Effect, Option, Runtime, Schema } from "effect"
import { CommandFailed } from "../run/Run.js"
import { closeTimeout } from "../run/Serve.js"
import { handsetPort } from "../settings/ServiceSettings.js"
import { Settings } from "../settings/Settings.js"
import {
  AllMetricsRequest,
  MetricsResponse,
  ProcessMetricsRequest,
  requestMetrics,
  Stop,
  supervisedVariable
} from "./Supervised.js"

/** The number of processes: 1 to 64, or `auto` for one per core. */
export const ProcessCount = Schema.String.pipe(
  Schema.pattern(/^(?:auto|[1-9]|[1-5]\d|6[0-4])$/, { message: () => "must be a number from 1 to 64, or auto" }),
  Schema.transform(Schema.Number, {
    strict: true,
    decode: (text) => (text === "auto" ? availableParallelism() : Number(text)),
    encode: String
  })
)

/** The delay before an ended process is started again. */
const restartDelay = "1 second"

/** Timeout for the metrics of one process. */
const metricsTimeout = "8 seconds"

/** The settings of one process: its share of the connections and, without Redis, of the rate limits. */
const processSettings = (settings: typeof Settings.Service, count: number): Record<string, string> => {
  const share = (total: number) => String(Math.ceil(total / count))
  return {
    [supervisedVariable]: "1",
    DATABASE_POOL_SIZE: String(Math.max(2, Math.floor(settings.databasePoolSize / count))),
    CONNECTIONS_PER_ADDRESS: share(settings.connectionsPerAddress),
    ...(Option.isSome(settings.redisUrl)
      ? {}
      : {
          RATE_LIMIT_REQUESTS: share(settings.rateLimitRequests),
          RATE_LIMIT_SENDS: share(settings.rateLimitSends),
          RATE_LIMIT_FAILURES: share(settings.rateLimitFailures)
        })
  }
}

/** Refuses port 0: each process would listen on a different free port. */
const checkPorts = (settings: typeof Settings.Service) => {
  const { inboundSmtpPort, mailboxSmtpPort, metricsPort, port, smtpUrl } = settings
  const ports = {
    PORT: port,
    INBOUND_SMTP_PORT: inboundSmtpPort,
    MAILBOX_SMTP_PORT: Option.isNone(smtpUrl) ? mailboxSmtpPort : null,
    HANDSET_SMPP_PORT: Option.getOrNull(handsetPort(settings)),
    METRICS_PORT: Option.getOrNull(metricsPort)
  }
  const dynamic = Object.entries(ports).find(([, value]) => value === 0)
  return dynamic === undefined
    ? Effect.void
    : new CommandFailed({
        message: `${dynamic[0]}=0 takes a free port, which several processes can't share: set ${dynamic[0]} to a port number`
      })
}

const exitOf = (worker: Worker) =>
  Effect.async<string>((resume) => {
    const listener = (code: number | null, signal: string | null) => resume(Effect.succeed(signal ?? `code ${code}`))
    worker.once("exit", listener)
    return Effect.sync(() => worker.off("exit", listener))
  })

/**
 * Runs `count` processes with API and worker on the same ports and one database, and restarts processes that end. The
 * first process starts alone: it migrates the database and creates the first key.
 */
export const supervise = (count: number) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    yield* checkPorts(settings)
    if (Option.isNone(settings.databaseUrl)) yield* embeddedPostgres({ dataDir: settings.dataDir })
    const stopTimeout = Duration.sum(settings.shutdownGrace, closeTimeout)
    const environment = processSettings(settings, count)
    const runtime = yield* Effect.runtime()
    /** Processes with an open port, which also receive messages. */
    const listening = new Set<Worker>()
    const isServing = yield* Deferred.make<void, CommandFailed>()
    cluster.setupPrimary({ args: ["serve"] })

    const sendMetrics = (to: Worker, id: number) =>
      Effect.map(
        Effect.forEach(
          [...listening].filter((other) => other !== to),
          (other) => requestMetrics(other, ProcessMetricsRequest, metricsTimeout),
          { concurrency: "unbounded" }
        ),
        (metrics) => to.send(MetricsResponse.make({ id, metrics: metrics.flat() }))
      )

    const start = Effect.sync(() => {
      const worker = cluster.fork(environment)
      // A message to a process that has ended fails; the exit event handles the end.
      worker.on("error", () => undefined)
      worker.on("listening", ({ port }) => {
        listening.add(worker)
        if (port === settings.port) Deferred.unsafeDone(isServing, Effect.void)
      })
      worker.on("message", (message: unknown) => {
        if (Schema.is(AllMetricsRequest)(message)) Runtime.runFork(runtime)(sendMetrics(worker, message.id))
      })
      return worker
    })

    const stop = (worker: Worker) =>
      Effect.suspend(() => {
        const isListening = listening.delete(worker)
        if (worker.isDead()) return Effect.void
        if (isListening && worker.isConnected()) worker.send(Stop.make())
        else worker.process.kill("SIGTERM")
        return exitOf(worker).pipe(
          Effect.interruptible,
          Effect.timeoutOption(stopTimeout),
          Effect.map((exit) => Option.isNone(exit) && worker.process.kill("SIGKILL"))
        )
      })

    const life = Effect.acquireUseRelease(start, exitOf, stop).pipe(
      Effect.flatMap((reason) => {
        const notStarted = new CommandFailed({
          message: `The first process ended with ${reason}: correct the error above`
        })
        return Effect.flatMap(Deferred.fail(isServing, notStarted), (isFirst) =>
          isFirst ? notStarted : Effect.logError(`A process ended with ${reason} and is restarted`)
        )
      }),
      Effect.zipRight(Effect.sleep(restartDelay)),
      Effect.forever
    )

    const others = Effect.zipRight(
      Deferred.await(isServing),
      Effect.all(
        Array.makeBy(count - 1, () => life),
        { concurrency: "unbounded", discard: true }
      )
    )
    return yield* Effect.all([life, others], { concurrency: "unbounded", discard: true })
  }).pipe(Effect.scoped)
