import { type ChildProcess, spawn } from "node:child_process"
import { FileSystem, Path } from "@effect/platform"
import { Deferred, Effect, Schedule, type Scope } from "effect"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.js"
import { isAlive } from "./LockFile.js"

/** How to run the server, and its files. */
export interface PostgresServer {
  readonly command: ReadonlyArray<string>
  readonly environment: NodeJS.ProcessEnv
  /** The data directory. */
  readonly cluster: string
  readonly logFile: string
}

/** The limit for a shutdown. A server that hangs is left to its supervisor, which kills it after this process exits. */
const stopTimeout = "10 seconds"

/** The delays before a restart: short at first, since all requests wait; longer if the server keeps failing. */
const restartSchedule = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.resetAfter("1 minute")
)

/** A killed process has a signal code instead of an exit code. */
const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

const endOf = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    if (hasEnded(child)) return resume(Effect.void)
    const ended = () => resume(Effect.void)
    child.once("exit", ended)
    return Effect.sync(() => child.off("exit", ended))
  })

/**
 * A shell script that waits on its standard input, which this process keeps open: when this process ends for any
 * reason, the database stops. It runs in a session of its own, so that Ctrl-C in the terminal does not stop the
 * database before this process.
 */
const supervisor = `log="$1"; shift; exec 3<&0; "$@" </dev/null >>"$log" 2>&1 3<&- & pid=$!
(while read -r line; do kill -INT $pid; done; kill -QUIT $pid) <&3 2>/dev/null & watch=$!
exec 3<&-; wait $pid; code=$?; kill $watch 2>/dev/null; exit $code`

/** A server process that stops when the scope closes. */
const spawned = ({ command, environment, logFile }: PostgresServer) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn("/bin/sh", ["-c", supervisor, "switchboard-postgres", logFile, ...command], {
        detached: true,
        env: environment,
        stdio: ["pipe", "ignore", "ignore"]
      })
      // A write fails if the supervisor was killed; that must not end this process.
      child.stdin.on("error", () => undefined)
      return child
    }),
    (child) =>
      Effect.suspend(() => {
        // A line requests a fast shutdown; the end of the input, when this process ends, an immediate one.
        if (!hasEnded(child)) child.stdin.write("stop\n")
        return endOf(child).pipe(Effect.interruptible, Effect.timeoutOption(stopTimeout))
      })
  )

/**
 * Runs the server until the scope closes. Succeeds when it accepts connections. A server that exits or is killed is
 * restarted; committed data is on disk.
 */
export const runServer = (
  server: PostgresServer
): Effect.Effect<void, EmbeddedPostgresError, Scope.Scope | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const { cluster, logFile } = server
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const pidFile = path.join(cluster, "postmaster.pid")
    const started = yield* Deferred.make<void, EmbeddedPostgresError>()

    // A killed server leaves its file behind; the file is valid only while its process exists.
    const running = fs.readFileString(pidFile).pipe(
      Effect.map((text) => {
        const lines = text.split("\n")
        const pid = Number.parseInt(lines[0] ?? "", 10)
        // Line 8 is the server's state. A connection attempt would return less, and log an error.
        return pid > 0 && isAlive(pid) ? { pid, ready: lines[7]?.trim() === "ready" } : null
      }),
      Effect.orElseSucceed(() => null)
    )

    const awaitEndOfAnother = running.pipe(
      Effect.filterOrFail(
        (other) => other === null,
        (other) =>
          new EmbeddedPostgresError({ message: `Another PostgreSQL (process ${other?.pid}) still uses ${cluster}` })
      ),
      Effect.retry(Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(150)))
    )

    const lastLines = Effect.orElseSucceed(
      Effect.map(fs.readFileString(logFile), (text) => text.trimEnd().split("\n").slice(-8).join("\n")),
      () => "(no log)"
    )

    const awaitReady = (child: ChildProcess) =>
      Effect.gen(function* () {
        if ((yield* running)?.ready) return true
        if (!hasEnded(child)) return false
        return yield* new EmbeddedPostgresError({
          message: `The embedded PostgreSQL did not start:\n${yield* lastLines}`
        })
      }).pipe(
        Effect.repeat({ until: (ready) => ready, schedule: Schedule.spaced("20 millis") }),
        Effect.timeoutFail({
          duration: "2 minutes",
          onTimeout: () =>
            new EmbeddedPostgresError({
              message: `The embedded PostgreSQL is not ready after two minutes: see ${logFile}`
            })
        })
      )

    const runOnce = Effect.scoped(
      Effect.gen(function* () {
        yield* awaitEndOfAnother
        const child = yield* spawned(server)
        yield* awaitReady(child)
        if (!(yield* Deferred.succeed(started, undefined))) {
          yield* Effect.logWarning("The embedded PostgreSQL restarted")
        }
        yield* endOf(child)
        return yield* new EmbeddedPostgresError({ message: `The embedded PostgreSQL stopped: see ${logFile}` })
      })
    )

    // A failed first start is reported to the caller and not retried; later failures are logged and retried.
    const next = Effect.catchAll(runOnce, (error) =>
      Effect.flatMap(Deferred.fail(started, error), (first) =>
        first ? Effect.void : Effect.zipRight(Effect.logError(error.message), error)
      )
    )
    yield* next.pipe(Effect.retry(restartSchedule), Effect.ignore, Effect.forkScoped)
    yield* Deferred.await(started)
  })
