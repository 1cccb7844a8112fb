import { CliConfig, Command, ValidationError } from "@effect/cli"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { switchboard } from "./Commands.js"
import { settingDocs } from "./settings/Settings.js"

const version = "1.0.0"

const settingsText = settingDocs
  .map(({ default: value, meaning, name, type }) => `  ${name} (${type}; default: ${value})\n      ${meaning}`)
  .join("\n")

const run = Command.run(switchboard, { name: "switchboard", version })

const argv = process.argv.length > 2 ? process.argv : [...process.argv, "serve"]
const wantsHelp = argv.length === 3 && (argv[2] === "--help" || argv[2] === "-h")

run(argv).pipe(
  Effect.zipRight(wantsHelp ? Console.log(`SETTINGS (environment variables)\n\n${settingsText}\n`) : Effect.void),
  // What is wrong is said in one line; the stack is nobody's business but a developer's.
  Effect.tapError((error) =>
    ValidationError.isValidationError(error) ? Effect.void : Console.error(`switchboard: ${error.message}`)
  ),
  Effect.provide([CliConfig.layer({ showBuiltIns: false }), NodeContext.layer]),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
