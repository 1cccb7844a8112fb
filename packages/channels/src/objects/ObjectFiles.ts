import { randomUUID } from "node:crypto"
import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { type ObjectReading, ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { objectStoreFailed } from "@switchboard/services/objects/ObjectStoreFailed"
import { Clock, Context, Duration, Effect, Layer, Option, Stream } from "effect"

/** Syncs the directory entries of a folder to the disk. */
const syncFolder = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), ({ sync }) => sync))
})

/** Only the owner may list folders: their names contain ids of organizations and messages. */
const folderMode = 0o700

/** Creates a folder and its parents below an existing one, and syncs each, so that no crash loses them. */
const makeFolder = Effect.fnUntraced(function* (root: string, names: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folders = names.map((_, at) => path.join(root, ...names.slice(0, at + 1)))
  yield* fs.makeDirectory(path.join(root, ...names), { recursive: true, mode: folderMode })
  yield* Effect.forEach([root, ...folders.slice(0, -1)], syncFolder, { discard: true })
})

/**
 * Writes a file atomically and durably: writes and syncs `part`, renames it to `target`, and syncs the folder. No crash
 * loses the file after that.
 */
const writeDurably = <E, E2>(
  target: string,
  part: string,
  write: (file: FileSystem.File) => Effect.Effect<void, E>,
  onDisk: <A, R>(self: Effect.Effect<A, PlatformError, R>) => Effect.Effect<A, E2, R>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    yield* Effect.scoped(
      Effect.gen(function* () {
        const file = yield* onDisk(fs.open(part, { flag: "wx", mode: 0o600 }))
        yield* write(file)
        yield* onDisk(file.sync)
      })
    )
    yield* onDisk(fs.rename(part, target))
    yield* onDisk(syncFolder(path.dirname(target)))
  }).pipe(
    Effect.onError(() => Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.ignore(fs.remove(part, { force: true }))))
  )

/** Removes files, and syncs their folders so that no crash restores them. Missing files are ignored. */
const removeDurably = Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* Effect.forEach(files, (file) => fs.remove(file, { force: true }), { discard: true })
  for (const folder of new Set(files.map(path.dirname))) if (yield* fs.exists(folder)) yield* syncFolder(folder)
})

/** The folder of incomplete files. No organization has this id. */
const partsFolder = "parts"

/** An older incomplete file was left by a crash. */
const maxPartAge = Duration.days(1)

const failed = (error: PlatformError) =>
  Effect.zipRight(Effect.logError("Reading or writing the objects folder failed", error), objectStoreFailed)

/** Logs an error of the disk; the caller gets a generic error. */
const onDisk = Effect.catchAll(failed)

const isMissing = (error: PlatformError): boolean => error._tag === "SystemError" && error.reason === "NotFound"

const orMissing = <A, R>(self: Effect.Effect<A, PlatformError, R>) =>
  Effect.asSome(self).pipe(
    Effect.catchIf(isMissing, () => Effect.succeed(Option.none<A>())),
    onDisk
  )

/** `writeAll` of no bytes fails as if the disk accepted no bytes. */
const append = (file: FileSystem.File, bytes: Uint8Array) =>
  bytes.byteLength === 0 ? Effect.void : onDisk(file.writeAll(bytes))

const deleteExpiredParts = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const now = yield* Clock.currentTimeMillis
  for (const name of yield* fs.readDirectory(folder)) {
    const part = path.join(folder, name)
    const { mtime } = yield* fs.stat(part)
    const age = now - Option.getOrElse(Option.map(mtime, Number), () => now)
    if (age > Duration.toMillis(maxPartAge)) yield* fs.remove(part, { force: true })
  }
})

/** The path of the objects folder, which all processes of the installation share. */
export class ObjectsFolder extends Context.Tag("channels/ObjectsFolder")<ObjectsFolder, string>() {}

/** Stores objects as files below the objects folder. */
export const ObjectFiles = Layer.effect(
  ObjectStore,
  Effect.gen(function* () {
    const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const root = path.resolve(yield* ObjectsFolder)
    const parts = path.join(root, partsFolder)
    yield* fs.makeDirectory(parts, { recursive: true, mode: folderMode })
    // Earlier releases created the root readable by all users of the host. Closing the root closes its subfolders too.
    yield* Effect.catchAll(fs.chmod(root, folderMode), (error) =>
      Effect.logWarning(
        "The permissions of the objects folder could not be restricted; other users of this host may read it",
        error
      )
    )
    // Another process may delete the same files.
    yield* Effect.ignore(deleteExpiredParts(parts))

    const createdFolders = new Set<string>()
    const fileOf = (key: ObjectKey) => path.join(root, ...key.split("/"))

    const makeFolderOf = Effect.fnUntraced(function* (key: ObjectKey) {
      const names = key.split("/").slice(0, -1)
      if (createdFolders.has(names.join("/"))) return
      yield* onDisk(makeFolder(root, names))
      createdFolders.add(names.join("/"))
    })

    const write = <E>(key: ObjectKey, content: (file: FileSystem.File) => Effect.Effect<void, E>) =>
      Effect.zipRight(
        makeFolderOf(key),
        Effect.suspend(() => writeDurably(fileOf(key), path.join(parts, randomUUID()), content, onDisk))
      ).pipe(Effect.provide(platform))

    return {
      put: (key, bytes) => write(key, (file) => append(file, bytes)),
      putStream: (key, bytes) => write(key, (file) => Stream.runForEach(bytes, (piece) => append(file, piece))),
      get: (key) => orMissing(fs.readFile(fileOf(key))),
      read: (key) =>
        Effect.map(
          orMissing(fs.stat(fileOf(key))),
          Option.map(
            ({ size }): ObjectReading => ({
              contentLength: Number(size),
              bytes: Stream.catchAll(fs.stream(fileOf(key)), failed)
            })
          )
        ),
      remove: (keys) => Effect.provide(onDisk(removeDurably(keys.map(fileOf))), platform)
    }
  })
)
