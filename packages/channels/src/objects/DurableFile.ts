import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Effect } from "effect"

/** Writes to the disk what a folder says of its files: which there are, under which name. */
const syncFolder = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), ({ sync }) => sync))
})

/** The mode of folders with objects: their names are those of organizations and messages. */
export const folderMode = 0o700

/** Makes a folder below one that is there already, so that a crash loses neither it nor those on the way. */
export const makeFolder = Effect.fnUntraced(function* (root: string, names: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folders = names.map((_, at) => path.join(root, ...names.slice(0, at + 1)))
  yield* fs.makeDirectory(path.join(root, ...names), { recursive: true, mode: folderMode })
  yield* Effect.forEach([root, ...folders.slice(0, -1)], syncFolder, { discard: true })
})

/**
 * Writes a file whole or not at all: under another name first, which becomes its own once every octet is on the disk.
 * When it is done, no crash loses the file.
 */
export const writeDurably = <E, E2>(
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

/** Removes files that there are, of one folder, so that no crash brings them back. */
export const removeDurably = Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* Effect.forEach(files, (file) => fs.remove(file, { force: true }), { discard: true })
  for (const folder of new Set(files.map(path.dirname))) if (yield* fs.exists(folder)) yield* syncFolder(folder)
})
