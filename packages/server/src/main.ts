import { readFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { program } from "./Program.js"
import { variablesOf } from "./settings/Setting.js"
import { settingDocs } from "./settings/Settings.js"

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

const args = process.argv.length > 2 ? process.argv.slice(2) : ["serve"]
const wantsHelp = args.length === 1 && (args[0] === "--help" || args[0] === "-h")

program(args, version).pipe(
  Effect.zipRight(
    wantsHelp
      ? Console.log(
          `SETTINGS (environment variables; with _FILE: the path of a file with the value)\n\n${settingsText}\n`
        )
      : Effect.void
  ),
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
