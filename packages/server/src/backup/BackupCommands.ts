import { Args, Command, Options } from "@effect/cli"
import { PauseRepo } from "@switchboard/services/queues/PauseRepo"
import { Console, DateTime, Effect, Option } from "effect"
import { Storage } from "../layers/Storage.js"
import { option, parseTime } from "../ReadArguments.js"
import { CommandFailed, withoutWait, withSettings } from "../run/Run.js"
import { backUp } from "./Backup.js"
import { holdCopy, restore } from "./Restore.js"

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
