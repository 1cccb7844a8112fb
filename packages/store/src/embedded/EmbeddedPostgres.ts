import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { createServer } from "node:net"
import { FileSystem, Path } from "@effect/platform"
import { Effect, Option, Redacted, Schedule, Schema, type Scope } from "effect"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.js"
import { hold, holdLock, isHeldBy } from "./LockFile.js"
import { runServer } from "./PostgresServer.js"
import { commandAs, locateBinaries, serverUser } from "./ServerUser.js"

/** The file by which other processes on the same DATA_DIR find a running server. */
const addressFile = "postgres.json"

/** Its content. */
const Address = Schema.parseJson(Schema.Struct({ url: Schema.Redacted(Schema.String), pid: Schema.Number }))
type Address = typeof Address.Type

const fail = (message: string) => (cause: unknown) =>
  new EmbeddedPostgresError({ message: cause instanceof Error ? `${message}: ${cause.message}` : message })

/** Durability settings keep PostgreSQL's defaults: commits are flushed to disk. */
const serverOptions = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "256MB",
  max_wal_size: "2GB",
  timezone: "UTC",
  log_timezone: "UTC",
  // The queue fills and empties within seconds.
  autovacuum_naptime: "10s"
}

/** For data that is deleted after use: commits are not flushed to disk, and many small databases are not vacuumed. */
const volatileOptions = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  autovacuum: "off"
}

/** In MiB, of a new cluster. PostgreSQL fills a new WAL segment with zeros while commits wait. */
const walSegmentSize = 4

/** Checks that a port is free, or finds a free one (0). */
const freePort = (port: number) =>
  Effect.async<number, EmbeddedPostgresError>((resume) => {
    const server = createServer()
    server.once("error", (cause) => resume(Effect.fail(fail("No free port for the embedded database")(cause))))
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      const bound = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resume(Effect.succeed(bound)))
    })
  })

/**
 * The port of the last start, since other processes on the same DATA_DIR still use it. Waits up to 5 seconds for a
 * server whose process was lost and which is stopping. Chooses another port if it stays in use.
 */
const reusePort = Effect.fnUntraced(function* (portFile: string) {
  const fs = yield* FileSystem.FileSystem
  const before = Number.parseInt(yield* Effect.orElseSucceed(fs.readFileString(portFile), () => ""), 10)
  const retried = freePort(before).pipe(
    Effect.retry(Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(50)))
  )
  const port = yield* before > 0 && before <= 65_535 ? Effect.orElse(retried, () => freePort(0)) : freePort(0)
  if (port !== before) yield* fs.writeFileString(portFile, String(port), { mode: 0o600 })
  return port
})

/** Runs a program until it exits. */
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

const environment = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" }

/** The address of the running server of a DATA_DIR. */
const running = Effect.fnUntraced(function* (dataDir: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(path.resolve(dataDir), addressFile)
  return yield* fs.readFileString(file).pipe(
    Effect.flatMap(Schema.decode(Address)),
    Effect.flatMap((address) => Effect.whenEffect(Effect.succeed(address), isHeldBy(address.pid, file))),
    Effect.orElseSucceed(() => Option.none<Address>())
  )
})

/** Whether a process runs a server under DATA_DIR. */
export const isRunning = ({ dataDir }: { readonly dataDir: string }) => Effect.map(running(dataDir), Option.isSome)

/**
 * A PostgreSQL server under DATA_DIR, with the same address after a restart. A second process on the same DATA_DIR uses
 * the running server.
 */
export const embeddedPostgres = (options: {
  readonly dataDir: string
  /** Whether commits survive a crash of the machine; default: true. The service refuses a database without them. */
  readonly isDurable?: boolean
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
    const logFile = path.join(dataDir, "postgres.log")
    const passwordFile = path.join(dataDir, "postgres.password")

    yield* fs.makeDirectory(dataDir, { recursive: true })

    const start = Effect.gen(function* () {
      const binaries = yield* locateBinaries
      const user = yield* serverUser([cluster, binaries.directory])
      const owned = (target: string) => (user === null ? Effect.void : fs.chown(target, user.uid, user.gid))

      if (!(yield* fs.exists(cluster))) {
        const password = randomBytes(24).toString("hex")
        // A temporary directory that is renamed when complete: an interrupted start leaves no partial cluster.
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
            `--wal-segsize=${walSegmentSize}`,
            "--no-instructions"
          ]),
          environment
        )
        yield* fs.rename(fresh, cluster)
      }

      yield* fs.writeFileString(logFile, "", { flag: "a", mode: 0o600 })
      const password = yield* fs.readFileString(passwordFile)
      const port = yield* reusePort(path.join(dataDir, "postgres.port"))
      const flags = Object.entries(
        options.isDurable === false ? { ...serverOptions, ...volatileOptions } : serverOptions
      ).flatMap(([name, value]) => ["-c", `${name}=${value}`])
      yield* runServer({
        command: commandAs(user, [binaries.postgres, "-D", cluster, "-p", `${port}`, ...flags]),
        environment,
        cluster,
        logFile
      })
      const url = Redacted.make(`postgres://switchboard:${password}@127.0.0.1:${port}/postgres`)
      const address: Address = { url, pid: process.pid }
      const file = path.join(dataDir, addressFile)
      yield* hold(
        file,
        Effect.flatMap(Schema.encode(Address)(address), (text) => fs.writeFileString(file, text, { mode: 0o600 }))
      )
      return { url }
    })

    return yield* holdLock(
      path.join(dataDir, "postgres.lock"),
      Effect.flatMap(
        running(dataDir),
        Option.match({ onSome: ({ url }) => Effect.succeed({ url }), onNone: () => start })
      )
    )
  }).pipe(
    Effect.catchTags({
      SystemError: (error) => fail("The embedded database's files can't be used")(error),
      BadArgument: (error) => fail("The embedded database's files can't be used")(error),
      ParseError: (error) => Effect.die(error)
    })
  )
