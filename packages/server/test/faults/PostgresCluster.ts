import { execFileSync, spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { embeddedPostgres } from "@switchboard/store/embedded/EmbeddedPostgres"
import { commandAs, locateBinaries, serverUser } from "@switchboard/store/embedded/ServerUser"
import { Data, Duration, Effect, Redacted, Schedule } from "effect"
import pg from "pg"

export class DatabaseFailed extends Data.TaggedError("DatabaseFailed")<{ readonly cause: unknown }> {}

/** A PostgreSQL server that a scenario crashes, pauses and copies. */
export interface PostgresCluster {
  readonly folder: string
  readonly url: string
  readonly query: <Row extends pg.QueryResultRow>(
    text: string,
    values?: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<Row>, DatabaseFailed>
  /** Waits until it responds. */
  readonly ready: Effect.Effect<void, DatabaseFailed>
  /** Stops it like `pg_ctl -m immediate`; it restarts and recovers from its log. */
  readonly crash: Effect.Effect<void>
  /** Stops it in the same way for good. */
  readonly stop: Effect.Effect<void>
  /** Pauses its processes: connections stay open without responses. */
  readonly freeze: Effect.Effect<void>
  readonly thaw: Effect.Effect<void>
}

const port = (url: string) => new URL(url).port

/** The process ids of a server: the main process and its connections. */
const processesOf = (folder: string): ReadonlyArray<number> => {
  const main = Number.parseInt(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8"), 10)
  const children = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, parent]) => (parent === main ? [pid] : []))
  return [main, ...children]
}

const signal = (folder: string, name: NodeJS.Signals) =>
  Effect.sync(() => {
    for (const pid of processesOf(folder)) {
      try {
        process.kill(pid, name)
      } catch {
        // The connection has just ended.
      }
    }
  })

/** The cluster of a folder from `embeddedPostgres` or a backup; it restarts whenever it ends. */
export const runCluster = (folder: string, url: string, settings: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const cluster = join(folder, "postgres")
    const binaries = yield* locateBinaries
    const user = yield* serverUser([cluster, binaries.directory])
    const [program = "", ...args] = commandAs(user, [
      binaries.postgres,
      ...["-D", cluster, "-p", port(url)],
      ...["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"],
      // A backup needs the write-ahead log that is written during the backup.
      ...["-c", "wal_keep_size=512MB", "-c", "autovacuum_naptime=10s"],
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    ])
    let isStopped = false
    const ended = (): void => {
      if (!isStopped) setTimeout(start, 100)
    }
    const start = () => {
      if (!isStopped) current = spawn(program, args, { stdio: "ignore", detached: true }).once("exit", ended)
    }
    let current = spawn(program, args, { stdio: "ignore", detached: true }).once("exit", ended)
    yield* Effect.addFinalizer(() =>
      Effect.async<void>((resume) => {
        isStopped = true
        if (current.exitCode !== null || current.signalCode !== null) return resume(Effect.void)
        current.once("exit", () => resume(Effect.void))
        for (const name of ["SIGCONT", "SIGQUIT"] as const) Effect.runSync(signal(folder, name))
        current.kill("SIGQUIT")
      })
    )
    const pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 2_000 })
    pool.on("error", () => undefined)
    yield* Effect.addFinalizer(() => Effect.promise(() => pool.end()))

    const query: PostgresCluster["query"] = <Row extends pg.QueryResultRow>(
      text: string,
      values: ReadonlyArray<unknown> = []
    ) =>
      Effect.tryPromise({
        try: () => pool.query<Row>(text, [...values]).then(({ rows }): ReadonlyArray<Row> => rows),
        catch: (cause) => new DatabaseFailed({ cause })
      })
    const ready = query("SELECT 1").pipe(
      Effect.retry(Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(1_200))),
      Effect.asVoid
    )
    const crash = Effect.async<void>((resume) => {
      current.once("exit", () => resume(Effect.void))
      current.kill("SIGQUIT")
    })
    const self: PostgresCluster = {
      folder,
      url,
      query,
      ready,
      crash,
      stop: Effect.suspend(() => {
        isStopped = true
        return crash
      }),
      freeze: signal(folder, "SIGSTOP"),
      thaw: signal(folder, "SIGCONT")
    }
    yield* ready
    return self
  })

const emptyFolders: Array<string> = []

/** An empty stopped cluster with its URL, created once and copied for each scenario. */
const [emptyCluster, forgetEmptyCluster] = Effect.suspend(() => {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-cluster-"))
  emptyFolders.push(folder)
  return Effect.scoped(
    Effect.map(embeddedPostgres({ dataDir: folder }), ({ url }) => ({ folder, url: Redacted.value(url) }))
  )
}).pipe(Effect.provide(NodeContext.layer), Effect.cachedInvalidateWithTTL(Duration.infinity), Effect.runSync)

/**
 * Removes the empty cluster; the next scenario creates it again. Each test file must call it: the processes of a test
 * runner run several files, and end without the exit event.
 */
export const removeEmptyCluster = (): void => {
  for (const folder of emptyFolders.splice(0)) rmSync(folder, { recursive: true, force: true })
  Effect.runSync(forgetEmptyCluster)
}

process.once("exit", removeEmptyCluster)

/** A copy of the empty cluster in the folder, and its URL at a free port. */
const copyEmpty = (folder: string) =>
  Effect.gen(function* () {
    const empty = yield* emptyCluster
    const url = new URL(empty.url)
    url.port = String(yield* freePort)
    mkdirSync(folder, { recursive: true })
    execFileSync("cp", ["-a", join(empty.folder, "postgres"), folder])
    return url
  })

/** Creates a cluster in the folder. */
export const newCluster = (folder: string) => Effect.flatMap(copyEmpty(folder), ({ href }) => runCluster(folder, href))

/** Creates an empty cluster and a synchronous standby of it: a commit waits until both have written it. */
export const newReplicatedCluster = (folder: string) =>
  Effect.gen(function* () {
    const primary = yield* newCluster(join(folder, "primary"))
    const standbyFolder = join(folder, "standby")
    const { href } = yield* copyEmpty(standbyFolder)
    const { hostname, password, port, username } = new URL(primary.url)
    writeFileSync(join(standbyFolder, "postgres", "standby.signal"), "")
    execFileSync("chown", ["-R", `--reference=${join(standbyFolder, "postgres")}`, join(standbyFolder, "postgres")])
    const standby = yield* runCluster(standbyFolder, href, {
      primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`
    })
    yield* primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
    yield* primary.query("SELECT pg_reload_conf()")
    yield* primary
      .query<{ isSynchronous: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync') AS "isSynchronous"`
      )
      .pipe(Effect.repeat({ until: ([row]) => row?.isSynchronous === true, schedule: Schedule.spaced("50 millis") }))
    return { primary, standby }
  })

/** Copies the files of a running cluster. Files that it deletes during the copy are restored from the log. */
const copyFiles = (from: string, to: string): void => {
  const { status, stderr } = spawnSync("cp", ["-a", from, to], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, LC_ALL: "C" }
  })
  const problems = stderr.split("\n").filter((line) => line !== "" && !line.endsWith("No such file or directory"))
  if (status !== 0 && problems.length > 0) throw new Error(problems.join("\n"))
}

/** Backs up a running cluster into another folder: its files, and the write-ahead log that is written during the copy. */
export const backUp = ({ folder, url }: PostgresCluster, target: string) =>
  Effect.tryPromise({
    try: async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query("SELECT pg_backup_start('faults', true)")
      const copy = join(target, "postgres")
      copyFiles(join(folder, "postgres"), copy)
      const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)")
      await client.end()
      rmSync(join(copy, "postmaster.pid"), { force: true })
      writeFileSync(join(copy, "backup_label"), rows[0]?.labelfile ?? "")
      copyFiles(join(folder, "postgres", "pg_wal"), copy)
      execFileSync("chown", ["-R", `--reference=${copy}`, copy])
    },
    catch: (cause) => new DatabaseFailed({ cause })
  })
