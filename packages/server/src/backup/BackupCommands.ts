import { Args, Command, Options } from "@effect/cli"
import { PauseRepo } from "@switchboard/services/queues/PauseRepo"
import { Console, DateTime, Effect, Option } from "effect"
import { Storage } from "../layers/Storage.js"
import { readArgument, Time } from "../ReadArguments.js"
import { CommandFailed, withoutWait, withSettings } from "../run/Run.js"
import { backUp } from "./Backup.js"
import { holdCopy, restore } from "./Restore.js"

const file = Args.text({ name: "file" })

export const backupCommand = Command.make("backup", { file }, (options) => withSettings(backUp(options.file))).pipe(
  Command.withDescription("Writes the database and the objects in DATA_DIR to a file")
)

export const restoreCommand = Command.make("restore", { file }, (options) => withSettings(restore(options.file))).pipe(
  Command.withDescription("Restores a backup into an empty database, and holds the copy")
)

export const holdCommand = Command.make("hold", {}, () =>
  withSettings(Effect.zipRight(holdCopy, Console.log("Held: workers send nothing after a few seconds")))
).pipe(Command.withDescription("Holds a database that other tools restored: nothing is sent until it is released"))

const since = Options.text("since").pipe(
  Options.withDescription(
    "messages that were due before this time end as failed, since they may have been sent: when the service of the backup stopped"
  ),
  Options.optional
)

const all = Options.boolean("all").pipe(Options.withDescription("all waiting messages are sent"))

const endedBefore = Effect.fnUntraced(function* (given: { all: boolean; since: Option.Option<string> }) {
  if (given.all === Option.isSome(given.since)) {
    return yield* new CommandFailed({ message: "Give --since TIME or --all" })
  }
  const time = yield* Effect.transposeMapOption(given.since, readArgument("--since", Time))
  if (Option.exists(time, DateTime.greaterThan(yield* DateTime.now))) {
    return yield* new CommandFailed({ message: "--since must not be in the future" })
  }
  return time
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
