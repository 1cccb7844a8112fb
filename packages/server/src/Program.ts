import { CliConfig, Command } from "@effect/cli"
import { Effect } from "effect"
import { switchboard } from "./Commands.js"
import { reportFailure } from "./run/ReportFailure.js"
import { Version } from "./Version.js"

/** Runs the command of these arguments, and prints why it failed. Settings are read from the ConfigProvider. */
export const program = (args: ReadonlyArray<string>, version: string) =>
  // @effect/cli skips the path of Node.js and that of the script.
  Command.run(switchboard, { name: "switchboard", version })(["node", "switchboard", ...args]).pipe(
    reportFailure,
    Effect.provideService(Version, version),
    Effect.provide(CliConfig.layer({ showBuiltIns: false }))
  )
