import { CliConfig, Command, ValidationError } from "@effect/cli"
import { Version } from "@switchboard/services/Version"
import { Console, Effect } from "effect"
import { switchboard } from "./Commands.js"
import { checkArguments, cliConfig, findCommand, helpOf, usageError } from "./run/Help.js"
import { reportFailure } from "./run/ReportFailure.js"

/** Runs the command of these arguments, and prints why it failed. Settings are read from the ConfigProvider. */
export const program = (args: ReadonlyArray<string>, version: string) => {
  const { descriptor } = switchboard
  const named = findCommand(descriptor, args)
  const isGroup = named.commands.length > 0 && named.rest.length === 0
  const run =
    isGroup || named.rest.includes("--help") || named.rest.includes("-h")
      ? Effect.flatMap(helpOf(descriptor, named, version), Console.log)
      : Effect.zipRight(
          checkArguments(descriptor, named),
          // @effect/cli skips the path of Node.js and that of the script.
          Command.run(switchboard, { name: "switchboard", version })(["node", "switchboard", ...args])
        )
  return run.pipe(
    Effect.catchIf(ValidationError.isValidationError, usageError(named.path)),
    reportFailure,
    Effect.provideService(Version, version),
    Effect.provide(CliConfig.layer(cliConfig))
  )
}
