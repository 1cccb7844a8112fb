import { readFileSync } from "node:fs"
import { CliConfig, Command, ValidationError } from "@effect/cli"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect } from "effect"
import { switchboard } from "./Commands.js"
import { variablesOf } from "./settings/Setting.js"
import { settingDocs } from "./settings/Settings.js"
import { Version } from "./Version.js"

// The bundle is dist/program/main.js.
const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8")
)

const settingsText = settingDocs
  .map(
    (doc) =>
      `  ${variablesOf(doc).join(", ")} (${doc.unit === undefined ? doc.type : `${doc.type}, ${doc.unit}`}; default: ${doc.default})\n      ${doc.meaning}`
  )
  .join("\n")

const run = Command.run(switchboard, { name: "switchboard", version })

const argv = process.argv.length > 2 ? process.argv : [...process.argv, "serve"]
const wantsHelp = argv.length === 3 && (argv[2] === "--help" || argv[2] === "-h")

run(argv).pipe(
  Effect.zipRight(
    wantsHelp
      ? Console.log(
          `SETTINGS (environment variables; with _FILE: the path of a file with the value)\n\n${settingsText}\n`
        )
      : Effect.void
  ),
  // @effect/cli prints its validation errors itself. Stack traces are left out.
  Effect.tapError((error) =>
    Console.error(
      ValidationError.isValidationError(error)
        ? 'Run "switchboard --help" for the commands, their options and the settings.'
        : `switchboard: ${error.message}`
    )
  ),
  Effect.tapDefect((cause) => Console.error(`switchboard: this is a bug of Switchboard: ${Cause.pretty(cause)}`)),
  Effect.provideService(Version, version),
  Effect.provide([CliConfig.layer({ showBuiltIns: false }), NodeContext.layer]),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
