import { FileSystem } from "@effect/platform"
import { Context, Effect, Schedule } from "effect"

/** Whether a process with this id exists. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists, and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** The files that this process holds. */
class HeldFiles extends Context.Reference<HeldFiles>()("store/HeldFiles", { defaultValue: () => new Set<string>() }) {}

const noteHeld = (file: string) => Effect.map(HeldFiles, (held) => held.add(file))
const noteReleased = (file: string) => Effect.map(HeldFiles, (held) => held.delete(file))

/**
 * Whether the process whose id is in a file still runs. In a container, an earlier process may have had this process's
 * id, so for its own id a process checks the files that it holds.
 */
export const isHeldBy = (pid: number, file: string): Effect.Effect<boolean> =>
  pid === process.pid ? Effect.map(HeldFiles, (held) => held.has(file)) : Effect.sync(() => isAlive(pid))

/** Writes a file that marks this process as its holder until the scope closes. */
export const hold = <E, R>(file: string, write: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* Effect.acquireRelease(Effect.zipRight(write, noteHeld(file)), () =>
      Effect.zipRight(noteReleased(file), Effect.ignore(fs.remove(file)))
    )
  })

/** Runs an effect while holding a lock file; other processes wait. The lock of a dead process is removed. */
export const holdLock = <A, E, R>(file: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const create = fs.writeFileString(file, String(process.pid), { flag: "wx", mode: 0o600 })
    const removeStale = Effect.gen(function* () {
      const holder = Number.parseInt(yield* fs.readFileString(file), 10)
      // An empty file is still being written.
      if (!Number.isNaN(holder) && !(yield* isHeldBy(holder, file))) yield* fs.remove(file)
    })
    const acquire = create.pipe(
      Effect.tap(() => noteHeld(file)),
      Effect.tapError(() => Effect.ignore(removeStale)),
      Effect.retry(Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(1200)))
    )
    return yield* Effect.acquireUseRelease(
      acquire,
      () => effect,
      () => Effect.zipRight(noteReleased(file), Effect.ignore(fs.remove(file)))
    )
  })
