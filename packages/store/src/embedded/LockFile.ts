import { FileSystem } from "@effect/platform"
import { Context, Effect, Schedule } from "effect"

/** Whether a process with this id exists. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It exists, and is not ours to signal.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** The files that this process holds. */
class HeldFiles extends Context.Reference<HeldFiles>()("store/HeldFiles", { defaultValue: () => new Set<string>() }) {}

const noteHeld = (file: string) => Effect.map(HeldFiles, (held) => held.add(file))
const noteReleased = (file: string) => Effect.map(HeldFiles, (held) => held.delete(file))

/**
 * Whether the process that left its id in a file is there. In a container, a process that was killed may have had the id
 * of this one: of its own files, a process goes by what it holds.
 */
export const isHeldBy = (pid: number, file: string): Effect.Effect<boolean> =>
  pid === process.pid ? Effect.map(HeldFiles, (held) => held.has(file)) : Effect.sync(() => isAlive(pid))

/** Writes a file that says that this process holds it, as long as the scope lasts. */
export const hold = <E, R>(file: string, write: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* Effect.acquireRelease(Effect.zipRight(write, noteHeld(file)), () =>
      Effect.zipRight(noteReleased(file), Effect.ignore(fs.remove(file)))
    )
  })

/** Runs an effect while no other process on the same file does; a lock whose holder has died is taken over. */
export const holdLock = <A, E, R>(file: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const create = fs.writeFileString(file, String(process.pid), { flag: "wx", mode: 0o600 })
    const removeStale = Effect.gen(function* () {
      const holder = Number.parseInt(yield* fs.readFileString(file), 10)
      // An empty file is one that is just being written.
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
