import cluster, { type Worker } from "node:cluster"
import { embeddedPostgres } from "@switchboard/store/embedded/EmbeddedPostgres"
import { Array, Deferred, Duration, Effect, Option, Runtime, Schema } from "effect"
import { CommandFailed } from "../run/Run.js"
import { closeTimeout } from "../run/ScopedWithin.js"
import { Settings } from "../settings/Settings.js"
import { askMetrics, MetricsAsked, MetricsTold, MetricsWanted, Stop, supervisedVariable } from "./ProcessMessages.js"

/** How long a process that ended is not started again. */
const restartDelay = "1 second"

/** How long a process may take to tell its metrics. */
const metricsTimeout = "8 seconds"

/** The limits of one process are its part of those of the settings: without Redis, processes share no counts. */
const settingsOfOne = (settings: typeof Settings.Service, count: number): Record<string, string> => {
  const part = (whole: number) => String(Math.ceil(whole / count))
  return {
    [supervisedVariable]: "1",
    DATABASE_POOL_SIZE: String(Math.max(2, Math.floor(settings.databasePoolSize / count))),
    CONNECTIONS_PER_ADDRESS: part(settings.connectionsPerAddress),
    ...(Option.isSome(settings.redisUrl)
      ? {}
      : {
          RATE_LIMIT_REQUESTS: part(settings.rateLimitRequests),
          RATE_LIMIT_SENDS: part(settings.rateLimitSends),
          RATE_LIMIT_FAILURES: part(settings.rateLimitFailures)
        })
  }
}

/** Processes share a port that is known to all of them. */
const checkPorts = ({ inboundSmtpPort, mailboxSmtpPort, metricsPort, port, smtpUrl }: typeof Settings.Service) => {
  const ports = {
    PORT: port,
    INBOUND_SMTP_PORT: inboundSmtpPort,
    MAILBOX_SMTP_PORT: Option.isNone(smtpUrl) ? mailboxSmtpPort : null,
    METRICS_PORT: Option.getOrNull(metricsPort)
  }
  const free = Object.entries(ports).find(([, value]) => value === 0)
  return free === undefined
    ? Effect.void
    : new CommandFailed({ message: `${free[0]}=0 takes a free port, which several processes can't share: set it` })
}

const exitOf = (worker: Worker) =>
  Effect.async<string>((resume) => {
    const listener = (code: number | null, signal: string | null) => resume(Effect.succeed(signal ?? `code ${code}`))
    worker.once("exit", listener)
    return Effect.sync(() => worker.off("exit", listener))
  })

/**
 * Runs `count` processes that serve and work, on the same ports and on one database, and starts those again that end.
 * The first one is started alone: it migrates the database and makes the first key.
 */
export const supervise = (count: number) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    yield* checkPorts(settings)
    if (Option.isNone(settings.databaseUrl)) yield* embeddedPostgres({ dataDir: settings.dataDir })
    const stopTimeout = Duration.sum(settings.shutdownGrace, closeTimeout)
    const environment = settingsOfOne(settings, count)
    const runtime = yield* Effect.runtime()
    /** The processes that listen to messages too. */
    const listening = new Set<Worker>()
    const isServing = yield* Deferred.make<void, CommandFailed>()
    cluster.setupPrimary({ args: ["serve"] })

    const tellMetrics = (to: Worker, id: number) =>
      Effect.map(
        Effect.forEach(
          [...listening].filter((other) => other !== to),
          (other) => askMetrics(other, MetricsWanted, metricsTimeout),
          { concurrency: "unbounded" }
        ),
        (metrics) => to.send(MetricsTold.make({ id, metrics: metrics.flat() }))
      )

    const start = Effect.sync(() => {
      const worker = cluster.fork(environment)
      // A message to a process that is gone: its exit is an event of its own.
      worker.on("error", () => undefined)
      worker.on("listening", ({ port }) => {
        listening.add(worker)
        if (port === settings.port) Deferred.unsafeDone(isServing, Effect.void)
      })
      worker.on("message", (message: unknown) => {
        if (Schema.is(MetricsAsked)(message)) Runtime.runFork(runtime)(tellMetrics(worker, message.id))
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
        const notStarted = new CommandFailed({ message: `The first process ended with ${reason}` })
        return Effect.flatMap(Deferred.fail(isServing, notStarted), (isFirst) =>
          isFirst ? notStarted : Effect.logError(`A process ended with ${reason}, and is started again`)
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
