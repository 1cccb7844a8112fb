import { CliConfig, Command, ValidationError } from "@effect/cli"
import { Console, Effect } from "effect"
import { switchboard } from "./Commands.js"
import { checkArguments, cliConfig, findCommand, helpOf, usageError } from "./run/Help.js"
import { reportFailure } from "./run/ReportFailure.js"
import { Version } from "./Version.js"

/** Runs the command of these arguments, and prints why it failed. Settings are read from the ConfigProvider. */
export const program = (args: ReadonlyArray<string>, version: string) =>
  Effect.gen(function* () {
    const { descriptor } = switchboard
    const named = findCommand(descriptor, args)
    const isGroup = named.commands.length > 0 && named.rest.length === 0
    if (isGroup || named.rest.includes("--help") || named.rest.includes("-h")) {
      return yield* Effect.flatMap(helpOf(descriptor, named, version), Console.log)
    }
    yield* checkArguments(descriptor, named)
    // @effect/cli skips the path of Node.js and that of the script.
    yield* Command.run(switchboard, { name: "switchboard", version })(["node", "switchboard", ...args])
  }).pipe(
    Effect.catchIf(ValidationError.isValidationError, usageError(findCommand(switchboard.descriptor, args).path)),
    reportFailure,
    Effect.provideService(Version, version),
    Effect.provide(CliConfig.layer(cliConfig))
  )
