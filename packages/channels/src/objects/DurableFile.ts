import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Effect } from "effect"

/** Syncs the directory entries of a folder to the disk. */
const syncFolder = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), ({ sync }) => sync))
})

/** Only the owner may list folders: their names contain ids of organizations and messages. */
export const folderMode = 0o700

/** Creates a folder and its parents below an existing one, and syncs each, so that no crash loses them. */
export const makeFolder = Effect.fnUntraced(function* (root: string, names: ReadonlyArray<string>) {
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

/** Removes files, and syncs their folders so that no crash restores them. Missing files are ignored. */
export const removeDurably = Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* Effect.forEach(files, (file) => fs.remove(file, { force: true }), { discard: true })
  for (const folder of new Set(files.map(path.dirname))) if (yield* fs.exists(folder)) yield* syncFolder(folder)
})
