import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { createServer } from "node:net"
import { FileSystem, Path } from "@effect/platform"
import { Effect, Option, Redacted, Schedule, Schema, type Scope } from "effect"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.js"
import { holdLock, isAlive } from "./LockFile.js"
import { commandAs, locateBinaries, serverUser } from "./ServerUser.js"

/** What other processes on the same DATA_DIR need to find a running server. */
const Address = Schema.parseJson(Schema.Struct({ url: Schema.Redacted(Schema.String), pid: Schema.Number }))
type Address = typeof Address.Type

const fail = (message: string) => (cause: unknown) =>
  new EmbeddedPostgresError({ message: cause instanceof Error ? `${message}: ${cause.message}` : message })

/** Durability is left as PostgreSQL has it: what is confirmed is on disk. */
const serverOptions = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "256MB",
  max_wal_size: "2GB",
  timezone: "UTC",
  log_timezone: "UTC",
  // The queue fills and empties in seconds.
  autovacuum_naptime: "10s"
}

const freePort = Effect.async<number, EmbeddedPostgresError>((resume) => {
  const server = createServer()
  server.once("error", (cause) => resume(Effect.fail(fail("No free port for the embedded database")(cause))))
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** How long the server may take to stop: one that hangs is left to its supervisor, which kills it when we are gone. */
const stopWithin = "10 seconds"

/** A program that was killed has a signal in the place of its code. */
const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

const endOf = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    if (hasEnded(child)) return resume(Effect.void)
    const ended = () => resume(Effect.void)
    child.once("exit", ended)
    return Effect.sync(() => child.off("exit", ended))
  })

/** Runs a program to its end. */
const run = (command: ReadonlyArray<string>, env: NodeJS.ProcessEnv) =>
  Effect.async<void, EmbeddedPostgresError>((resume) => {
    const [program = "", ...args] = command
    const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"] })
    let errors = ""
    child.stderr.on("data", (chunk) => {
      errors += String(chunk)
    })
    child.once("error", (cause) => resume(Effect.fail(fail(`${program} can't be run`)(cause))))
    child.once("close", (code) =>
      resume(
        code === 0
          ? Effect.void
          : Effect.fail(new EmbeddedPostgresError({ message: `${program} failed: ${errors.trim()}` }))
      )
    )
  })

/**
 * Waits on its standard input, which this process holds open: when this process ends, however it ends, the database
 * ends with it. In a session of its own, so that the terminal's Ctrl-C does not stop it before we are done.
 */
const supervisor = `log="$1"; shift; exec 3<&0; "$@" </dev/null >>"$log" 2>&1 3<&- & pid=$!
(while read -r line; do kill -INT $pid; done; kill -QUIT $pid) <&3 2>/dev/null & watch=$!
exec 3<&-; wait $pid; code=$?; kill $watch 2>/dev/null; exit $code`

const environment = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" }

/** A PostgreSQL of our own under DATA_DIR; a second process on the same DATA_DIR uses the one that runs. */
export const embeddedPostgres = (options: {
  readonly dataDir: string
}): Effect.Effect<
  { readonly url: Redacted.Redacted<string> },
  EmbeddedPostgresError,
  Scope.Scope | FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const dataDir = path.resolve(options.dataDir)
    const cluster = path.join(dataDir, "postgres")
    const addressFile = path.join(dataDir, "postgres.json")
    const logFile = path.join(dataDir, "postgres.log")
    const passwordFile = path.join(dataDir, "postgres.password")

    yield* fs.makeDirectory(dataDir, { recursive: true })

    const running = fs
      .readFileString(addressFile)
      .pipe(Effect.flatMap(Schema.decode(Address)), Effect.option, Effect.map(Option.filter(({ pid }) => isAlive(pid))))

    const awaitEnd = (pidFile: string) =>
      fs.readFileString(pidFile).pipe(
        Effect.map((text) => Number.parseInt(text, 10)),
        Effect.orElseSucceed(() => 0),
        Effect.filterOrFail(
          (pid) => !(pid > 0 && isAlive(pid)),
          (pid) => new EmbeddedPostgresError({ message: `Another PostgreSQL (process ${pid}) still uses ${cluster}` })
        ),
        Effect.retry(Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(150)))
      )

    // The eighth line of postmaster.pid is the server's state: a connection would say less, and be logged as an error.
    const isReady = fs.readFileString(path.join(cluster, "postmaster.pid")).pipe(
      Effect.map((text) => text.split("\n")[7]?.trim() === "ready"),
      Effect.orElseSucceed(() => false)
    )

    const awaitReady = (child: ChildProcess) =>
      Effect.gen(function* () {
        if (yield* isReady) return true
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

    const lastLines = Effect.orElseSucceed(
      Effect.map(fs.readFileString(logFile), (text) => text.trimEnd().split("\n").slice(-8).join("\n")),
      () => "(no log)"
    )

    const start = Effect.gen(function* () {
      const binaries = yield* locateBinaries
      const user = yield* serverUser([cluster, binaries.directory])
      const owned = (target: string) => (user === null ? Effect.void : fs.chown(target, user.uid, user.gid))

      if (!(yield* fs.exists(cluster))) {
        const password = randomBytes(24).toString("hex")
        // A start that is cut off must not leave half a cluster: it gets its name when it is whole.
        const fresh = yield* fs.makeTempDirectory({ directory: dataDir, prefix: "postgres-new-" })
        yield* fs.writeFileString(passwordFile, password, { mode: 0o600 })
        yield* owned(fresh)
        yield* owned(passwordFile)
        yield* run(
          commandAs(user, [
            binaries.initdb,
            `--pgdata=${fresh}`,
            "--username=switchboard",
            `--pwfile=${passwordFile}`,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            "--no-instructions"
          ]),
          environment
        )
        yield* fs.rename(fresh, cluster)
      }

      yield* fs.writeFileString(logFile, "", { flag: "a", mode: 0o600 })
      const password = yield* fs.readFileString(passwordFile)
      const port = yield* freePort
      const flags = Object.entries(serverOptions).flatMap(([name, value]) => ["-c", `${name}=${value}`])
      yield* awaitEnd(path.join(cluster, "postmaster.pid"))

      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(
            "/bin/sh",
            [
              "-c",
              supervisor,
              "switchboard-postgres",
              logFile,
              ...commandAs(user, [binaries.postgres, "-D", cluster, "-p", `${port}`, ...flags])
            ],
            { detached: true, env: environment, stdio: ["pipe", "ignore", "ignore"] }
          )
        ),
        (server) =>
          Effect.suspend(() => {
            // A line asks for a fast shutdown; the end of the input, which comes with our own, for an immediate one.
            if (!hasEnded(server)) server.stdin.write("stop\n")
            return endOf(server).pipe(Effect.interruptible, Effect.timeoutOption(stopWithin))
          })
      )
      // Nobody reads on at the other end when it was killed: that is no reason to fall.
      child.stdin.on("error", () => undefined)
      yield* Effect.forkScoped(
        Effect.zipRight(endOf(child), Effect.logError(`The embedded PostgreSQL ended by itself: see ${logFile}`))
      )
      const url = Redacted.make(`postgres://switchboard:${password}@127.0.0.1:${port}/postgres`)
      yield* awaitReady(child)
      const address: Address = { url, pid: process.pid }
      yield* Effect.acquireRelease(
        Effect.flatMap(Schema.encode(Address)(address), (text) =>
          fs.writeFileString(addressFile, text, { mode: 0o600 })
        ),
        () => Effect.ignore(fs.remove(addressFile))
      )
      return { url }
    })

    return yield* holdLock(
      path.join(dataDir, "postgres.lock"),
      Effect.flatMap(running, Option.match({ onSome: ({ url }) => Effect.succeed({ url }), onNone: () => start }))
    )
  }).pipe(
    Effect.catchTags({
      SystemError: (error) => fail("The embedded database's files can't be used")(error),
      BadArgument: (error) => fail("The embedded database's files can't be used")(error),
      ParseError: (error) => Effect.die(error)
    })
  )
