import { FileSystem, Path } from "@effect/platform"
import { InstallationRepo } from "@switchboard/services/installation/InstallationRepo"
import { isRunning } from "@switchboard/store/embedded/EmbeddedPostgres"
import { InstallationRepoSql } from "@switchboard/store/installation/InstallationRepoSql"
import { Console, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { DatabaseLive } from "../layers/Storage.js"
import { CommandFailed, withoutWait } from "../run/Run.js"
import { Settings } from "../settings/Settings.js"
import { hasTables } from "./HasTables.js"
import { entries, Manifest } from "./Manifest.js"
import { clientUrl, runTool } from "./RunTool.js"

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
export const backUp = (file: string) =>
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
