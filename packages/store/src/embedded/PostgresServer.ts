import { type ChildProcess, spawn } from "node:child_process"
import { FileSystem, Path } from "@effect/platform"
import { Deferred, Effect, Schedule, type Scope } from "effect"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.js"
import { isAlive } from "./LockFile.js"

/** How the server is run, and where it keeps its things. */
export interface PostgresServer {
  readonly command: ReadonlyArray<string>
  readonly environment: NodeJS.ProcessEnv
  /** Its data folder. */
  readonly cluster: string
  readonly logFile: string
}

/** How long the server may take to stop: one that hangs is left to its supervisor, which kills it when we are gone. */
const stopWithin = "10 seconds"

/** The waits before it is started again: short at first, since everybody waits; longer while it ends again and again. */
const again = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("5 seconds")),
  Schedule.resetAfter("1 minute")
)

/** A program that was killed has a signal in the place of its code. */
const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

const endOf = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    if (hasEnded(child)) return resume(Effect.void)
    const ended = () => resume(Effect.void)
    child.once("exit", ended)
    return Effect.sync(() => child.off("exit", ended))
  })

/**
 * Waits on its standard input, which this process holds open: when this process ends, however it ends, the database
 * ends with it. In a session of its own, so that the terminal's Ctrl-C does not stop it before we are done.
 */
const supervisor = `log="$1"; shift; exec 3<&0; "$@" </dev/null >>"$log" 2>&1 3<&- & pid=$!
(while read -r line; do kill -INT $pid; done; kill -QUIT $pid) <&3 2>/dev/null & watch=$!
exec 3<&-; wait $pid; code=$?; kill $watch 2>/dev/null; exit $code`

/** A server process that is stopped at the end of the scope. */
const spawned = ({ command, environment, logFile }: PostgresServer) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn("/bin/sh", ["-c", supervisor, "switchboard-postgres", logFile, ...command], {
        detached: true,
        env: environment,
        stdio: ["pipe", "ignore", "ignore"]
      })
      // Nobody reads on at the other end when it was killed: that is no reason to fall.
      child.stdin.on("error", () => undefined)
      return child
    }),
    (child) =>
      Effect.suspend(() => {
        // A line asks for a fast shutdown; the end of the input, which comes with our own, for an immediate one.
        if (!hasEnded(child)) child.stdin.write("stop\n")
        return endOf(child).pipe(Effect.interruptible, Effect.timeoutOption(stopWithin))
      })
  )

/**
 * Runs the server until the end of the scope, and answers when it takes connections. One that ends by itself, or is
 * killed, is started again, as often as that happens: what it had confirmed is on its disk.
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

    // A server that was killed leaves its file behind: what it says holds as long as its process lives.
    const running = fs.readFileString(pidFile).pipe(
      Effect.map((text) => {
        const lines = text.split("\n")
        const pid = Number.parseInt(lines[0] ?? "", 10)
        // The eighth line is the server's state: a connection would say less, and be logged as an error.
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
            new EmbeddedPostgresError({ message: `The embedded PostgreSQL is not ready: see ${logFile}` })
        })
      )

    const life = Effect.scoped(
      Effect.gen(function* () {
        yield* awaitEndOfAnother
        const child = yield* spawned(server)
        yield* awaitReady(child)
        if (!(yield* Deferred.succeed(started, undefined))) {
          yield* Effect.logWarning("The embedded PostgreSQL was started again")
        }
        yield* endOf(child)
        return yield* new EmbeddedPostgresError({ message: `The embedded PostgreSQL ended by itself: see ${logFile}` })
      })
    )

    // Who starts us is told of a first start that fails, and it stays at that; afterwards there is only the log.
    const next = Effect.catchAll(life, (error) =>
      Effect.flatMap(Deferred.fail(started, error), (first) =>
        first ? Effect.void : Effect.zipRight(Effect.logError(error.message), error)
      )
    )
    yield* next.pipe(Effect.retry(again), Effect.ignore, Effect.forkScoped)
    yield* Deferred.await(started)
  })
