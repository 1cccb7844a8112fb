import { FileSystem, Path } from "@effect/platform"
import { keyFingerprint } from "@switchboard/services/installation/MasterKeyCheck"
import { PauseRepo } from "@switchboard/services/queues/PauseRepo"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { isRunning } from "@switchboard/store/embedded/EmbeddedPostgres"
import { serverUser } from "@switchboard/store/embedded/ServerUser"
import { PauseRepoSql } from "@switchboard/store/queues/PauseRepoSql"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { masterKey } from "../layers/MasterKeyLive.js"
import { DatabaseLive, Migrated } from "../layers/Storage.js"
import { CommandFailed, withoutWait } from "../run/Run.js"
import { Settings } from "../settings/Settings.js"
import { hasTables } from "./HasTables.js"
import { entries, readManifest } from "./Manifest.js"
import { clientUrl, runTool } from "./RunTool.js"

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
export const holdCopy = Effect.flatMap(PauseRepo, ({ hold }) => hold).pipe(
  Effect.provide(PauseRepoSql.pipe(Layer.provide(Migrated), Layer.provide(DatabaseLive))),
  withoutWait
)

/** Restores a backup into an empty database and an empty DATA_DIR, and holds the copy. */
export const restore = (file: string) =>
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
