import { Args, Command, Options } from "@effect/cli"
import { FileSystem, Path } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { InstallationRepo } from "@switchboard/services/installation/InstallationRepo"
import { keyFingerprint } from "@switchboard/services/installation/MasterKey"
import { PauseRepo } from "@switchboard/services/queues/PauseRepo"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { isRunning } from "@switchboard/store/embedded/EmbeddedPostgres"
import { serverUser } from "@switchboard/store/embedded/ServerUser"
import { InstallationRepoSql } from "@switchboard/store/installation/InstallationRepoSql"
import { PauseRepoSql } from "@switchboard/store/queues/QueueStateSql"
import { Console, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { masterKey } from "../layers/MasterKeyLive.js"
import { DatabaseLive, Migrated, Storage } from "../layers/Storage.js"
import { option, parseTime } from "../ReadArguments.js"
import { CommandFailed, withoutWait, withSettings } from "../run/Run.js"
import { Settings } from "../settings/Settings.js"
import { clientUrl, runTool } from "./RunTool.js"

/**
 * The entries of a backup, a tar archive: the manifest, the database as `database.dump` (pg_dump) or as the folder
 * `postgres` of the embedded server with its password, and the folder `objects`.
 */
const entries = {
  manifest: "manifest.json",
  dump: "database.dump",
  cluster: ["postgres", "postgres.password"],
  objects: "objects"
} as const

/** The first entry of a backup. */
const Manifest = Schema.parseJson(
  Schema.Struct({
    format: Schema.Literal(1),
    createdAt: Schema.DateTimeUtc,
    database: Schema.Literal("dump", "files"),
    /** Of the master key that the secrets are encrypted under. */
    keyFingerprint: Schema.String,
    hasObjects: Schema.Boolean
  })
)

/** Reads the manifest of a backup. */
const readManifest = (file: string) =>
  runTool("tar", ["-xOf", file, entries.manifest]).pipe(
    Effect.flatMap(Schema.decode(Manifest)),
    Effect.mapError((cause) => new CommandFailed({ message: `${file} is not a backup: ${cause.message}` }))
  )

/** Whether the database has the tables of an installation. */
const hasTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ exists: boolean }>`SELECT to_regclass('installation') IS NOT NULL AS exists`
  return row?.exists === true
})

const failure = (message: string) => new CommandFailed({ message })

/** Requires the master key that the secrets of the backup are encrypted under. */
const requireKey = (fingerprint: string) =>
  Effect.gen(function* () {
    const key = yield* masterKey
    if (Option.isNone(key)) return yield* failure("The backup does not contain the master key: set MASTER_KEY")
    const own = yield* Effect.provide(
      keyFingerprint,
      Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, key.value)))
    )
    if (own !== fingerprint) return yield* failure("MASTER_KEY is not the key of the backup")
  })

const requireEmptyDatabase = Effect.flatMap(hasTables, (exists) =>
  exists ? failure("The database is not empty: restore into a new one") : Effect.void
).pipe(Effect.provide(DatabaseLive), withoutWait)

/** Holds the database: nothing is sent until it is released. */
const holdCopy = Effect.flatMap(PauseRepo, ({ hold }) => hold).pipe(
  Effect.provide(PauseRepoSql.pipe(Layer.provide(Migrated), Layer.provide(DatabaseLive))),
  withoutWait
)

/** Restores a backup into an empty database and an empty DATA_DIR, and holds the copy. */
const restore = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const { databaseUrl, ...settings } = yield* Settings
    const dataDir = path.resolve(settings.dataDir)
    const inData = (name: string) => path.join(dataDir, name)
    const requireMissing = (name: string) =>
      Effect.flatMap(fs.exists(inData(name)), (exists) =>
        exists ? failure(`${inData(name)} exists: restore into an empty DATA_DIR`) : Effect.void
      )
    const extract = (into: string, names: ReadonlyArray<string>) =>
      runTool("tar", ["-xf", file, "--no-same-owner", "-C", into, ...names])

    const { database, hasObjects, keyFingerprint: fingerprint } = yield* readManifest(file)
    if (database === "dump" && Option.isNone(databaseUrl)) {
      return yield* failure("The backup is of a PostgreSQL server: set DATABASE_URL to an empty database")
    }
    if (database === "files" && Option.isSome(databaseUrl)) {
      return yield* failure("The backup is of the embedded database: restore it without DATABASE_URL")
    }
    yield* requireKey(fingerprint)
    if (hasObjects) yield* requireMissing(entries.objects)

    yield* fs.makeDirectory(dataDir, { recursive: true })
    if (Option.isSome(databaseUrl)) {
      yield* requireEmptyDatabase
      const folder = yield* fs.makeTempDirectoryScoped({ directory: dataDir, prefix: "restore-" })
      yield* extract(folder, [entries.dump])
      const { environment, url } = clientUrl(Redacted.value(databaseUrl.value))
      yield* runTool(
        "pg_restore",
        [
          "--exit-on-error",
          "--single-transaction",
          "--no-owner",
          "--no-privileges",
          `--dbname=${url}`,
          path.join(folder, entries.dump)
        ],
        environment
      )
    } else {
      if (yield* isRunning({ dataDir })) return yield* failure(`The service runs on ${dataDir}: stop it`)
      yield* Effect.forEach(entries.cluster, requireMissing)
      yield* extract(dataDir, entries.cluster)
      const user = yield* serverUser([inData("postgres")])
      if (user !== null) yield* runTool("chown", ["-R", `${user.uid}:${user.gid}`, ...entries.cluster.map(inData)])
    }
    if (hasObjects) yield* extract(dataDir, [entries.objects])
    yield* holdCopy
    yield* Console.log(
      'Restored. Nothing is sent until "switchboard release --since TIME", with the time at which the service of the backup stopped'
    )
  }).pipe(Effect.scoped)

const empty = new CommandFailed({ message: "There is nothing to back up: the service was never started" })

/** The fingerprint of the master key of the database. */
const storedFingerprint = Effect.gen(function* () {
  if (!(yield* hasTables)) return yield* empty
  const { keyFingerprint } = yield* InstallationRepo
  return yield* Effect.flatMap(keyFingerprint, Option.match({ onNone: () => empty, onSome: Effect.succeed }))
}).pipe(Effect.provide(InstallationRepoSql.pipe(Layer.provideMerge(DatabaseLive))), withoutWait)

const requireStopped = Effect.gen(function* () {
  const { dataDir } = yield* Settings
  if (!(yield* isRunning({ dataDir }))) return
  return yield* new CommandFailed({
    message: `The service runs on ${dataDir}: stop it, since its database is copied as files`
  })
})

/** Writes the database and the objects of this installation to a new file that only its owner can read. */
const backUp = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const { databaseUrl, ...settings } = yield* Settings
    const dataDir = path.resolve(settings.dataDir)
    if (yield* fs.exists(file)) return yield* new CommandFailed({ message: `${file} exists` })
    if (Option.isNone(databaseUrl)) {
      if (!(yield* fs.exists(path.join(dataDir, "postgres")))) return yield* empty
      yield* requireStopped
    }

    const keyFingerprint = yield* storedFingerprint
    const hasObjects = yield* fs.exists(path.join(dataDir, entries.objects))
    // Beside the backup, whose file system has the space for it.
    const staging = yield* fs.makeTempDirectoryScoped({
      directory: path.dirname(path.resolve(file)),
      prefix: ".backup-"
    })
    const manifest = yield* Schema.encode(Manifest)({
      format: 1,
      createdAt: yield* DateTime.now,
      database: Option.isSome(databaseUrl) ? "dump" : "files",
      keyFingerprint,
      hasObjects
    })
    yield* fs.writeFileString(path.join(staging, entries.manifest), manifest)
    if (Option.isSome(databaseUrl)) {
      const { environment, url } = clientUrl(Redacted.value(databaseUrl.value))
      const dump = path.join(staging, entries.dump)
      yield* runTool("pg_dump", ["--format=custom", `--file=${dump}`, `--dbname=${url}`], environment)
    }
    const archive = path.join(staging, "archive")
    yield* fs.writeFileString(archive, "", { mode: 0o600 })
    yield* runTool("tar", [
      ...["-cf", archive, "-C", staging, entries.manifest],
      ...(Option.isSome(databaseUrl) ? [entries.dump] : []),
      ...["-C", dataDir],
      ...(Option.isSome(databaseUrl) ? [] : entries.cluster),
      ...(hasObjects ? [entries.objects] : [])
    ])
    yield* fs.rename(archive, file)
    yield* Console.log(`Wrote ${file}. It does not contain the master key: keep that separately`)
    if (Option.isSome(settings.s3Bucket)) yield* Console.log("The objects of the bucket are not part of it")
  }).pipe(Effect.scoped)

const file = Args.text({ name: "file" }).pipe(Args.withDescription("path of the backup, a tar archive"))

export const backupCommand = Command.make("backup", { file }, (options) => withSettings(backUp(options.file))).pipe(
  Command.withDescription("Writes the database and the objects in DATA_DIR to a file")
)

export const restoreCommand = Command.make("restore", { file }, (options) => withSettings(restore(options.file))).pipe(
  Command.withDescription("Restores a backup into an empty database, and holds the copy")
)

export const holdCommand = Command.make("hold", {}, () =>
  withSettings(Effect.zipRight(holdCopy, Console.log("Held: workers send nothing after a few seconds")))
).pipe(Command.withDescription("Holds a database that other tools restored: nothing is sent until it is released"))

const since = option(
  "since",
  "TIME",
  "messages that were due before this time (ISO 8601) end as failed, since they may have been sent: when the service of the backup stopped",
  parseTime
).pipe(Options.optional)

const all = Options.boolean("all").pipe(Options.withDescription("all waiting messages are sent"))

const endedBefore = Effect.fnUntraced(function* (given: { all: boolean; since: Option.Option<DateTime.Utc> }) {
  if (given.all === Option.isSome(given.since)) {
    return yield* new CommandFailed({ message: "Give --since TIME or --all" })
  }
  if (Option.exists(given.since, DateTime.greaterThan(yield* DateTime.now))) {
    return yield* new CommandFailed({ message: "--since must not be in the future" })
  }
  return given.since
})

export const releaseCommand = Command.make("release", { all, since }, (given) =>
  withSettings(
    Effect.gen(function* () {
      const time = yield* endedBefore(given)
      const { release } = yield* PauseRepo
      if (!(yield* release(time))) return yield* new CommandFailed({ message: "The database is not held" })
      yield* Console.log("Released: workers send within seconds")
    }).pipe(Effect.provide(Storage), withoutWait)
  )
).pipe(Command.withDescription("Lets a restored copy send"))
