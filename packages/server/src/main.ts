import { readFileSync } from "node:fs"
import { CliConfig, Command } from "@effect/cli"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { switchboard } from "./Commands.js"
import { reportFailure } from "./run/ReportFailure.js"
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
  reportFailure,
  Effect.provideService(Version, version),
  Effect.provide([CliConfig.layer({ showBuiltIns: false }), NodeContext.layer]),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
