import { randomUUID } from "node:crypto"
import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { type ObjectReading, ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { objectStoreFailed } from "@switchboard/services/objects/ObjectStoreFailed"
import { Clock, Context, Duration, Effect, Layer, Option, Stream } from "effect"
import { folderMode, makeFolder, removeDurably, writeDurably } from "./DurableFile.js"

/** Where files lie until they are whole. It is nobody's organization. */
const partsFolder = "parts"

/** What is still there after that long, a crash has left. */
const partsLast = Duration.days(1)

const failed = (error: PlatformError) =>
  Effect.zipRight(Effect.logError("The folder of objects fails", error), objectStoreFailed)

/** A disk that fails is for the log; callers hear that the store does. */
const onDisk = Effect.catchAll(failed)

const isMissing = (error: PlatformError): boolean => error._tag === "SystemError" && error.reason === "NotFound"

const orMissing = <A, R>(self: Effect.Effect<A, PlatformError, R>) =>
  Effect.asSome(self).pipe(
    Effect.catchIf(isMissing, () => Effect.succeed(Option.none<A>())),
    onDisk
  )

/** To write nothing would be taken for a disk that takes nothing. */
const append = (file: FileSystem.File, bytes: Uint8Array) =>
  bytes.byteLength === 0 ? Effect.void : onDisk(file.writeAll(bytes))

const forgetParts = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const now = yield* Clock.currentTimeMillis
  for (const name of yield* fs.readDirectory(folder)) {
    const part = path.join(folder, name)
    const { mtime } = yield* fs.stat(part)
    const age = now - Option.getOrElse(Option.map(mtime, Number), () => now)
    if (age > Duration.toMillis(partsLast)) yield* fs.remove(part, { force: true })
  }
})

/** The folder of objects. Every process of the installation must see it. */
export class ObjectsFolder extends Context.Tag("channels/ObjectsFolder")<ObjectsFolder, string>() {}

/** Objects as files below a folder. */
export const ObjectFiles = Layer.effect(
  ObjectStore,
  Effect.gen(function* () {
    const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const root = path.resolve(yield* ObjectsFolder)
    const parts = path.join(root, partsFolder)
    yield* fs.makeDirectory(parts, { recursive: true, mode: folderMode })
    // A folder of an earlier release is open to every user of the host; without access to it the ones below are closed too.
    yield* Effect.catchAll(fs.chmod(root, folderMode), (error) =>
      Effect.logWarning("The folder of objects stays open to other users of this host", error)
    )
    // Another process may be removing them too.
    yield* Effect.ignore(forgetParts(parts))

    const known = new Set<string>()
    const fileOf = (key: ObjectKey) => path.join(root, ...key.split("/"))

    const makeFolderOf = Effect.fnUntraced(function* (key: ObjectKey) {
      const names = key.split("/").slice(0, -1)
      if (known.has(names.join("/"))) return
      yield* onDisk(makeFolder(root, names))
      known.add(names.join("/"))
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
