import { Args, Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { apiKeyOption, serviceAccess, urlOption } from "../access/ServiceAccess.js"

const directory = Args.text({ name: "dir" }).pipe(
  Args.withDescription(
    "folder with one folder per template: subject.txt, html.html, text.txt, data.json, template.json"
  )
)

const optionsWith = (permissions: string) => ({ directory, url: urlOption, apiKey: apiKeyOption(permissions) })

const [readPermission, writePermission] = ["templates.read", "templates.read and templates.write"]

const deletes = Options.boolean("delete").pipe(
  Options.withDescription("deletes the templates of the service that the folder lacks; default: they stay")
)

const load = Effect.promise(() => import("./SyncTemplates.js"))

const push = Command.make("push", { ...optionsWith(writePermission), deletes }, ({ deletes, directory, ...given }) =>
  Effect.gen(function* () {
    const access = yield* serviceAccess(given, writePermission)
    const { pushTemplates } = yield* load
    yield* pushTemplates(access, directory, deletes)
  })
).pipe(Command.withDescription("Creates and updates the templates of a folder on a running service"))

const diff = Command.make("diff", { ...optionsWith(readPermission), deletes }, ({ deletes, directory, ...given }) =>
  Effect.gen(function* () {
    const access = yield* serviceAccess(given, readPermission)
    const { diffTemplates } = yield* load
    yield* diffTemplates(access, directory, deletes)
  })
).pipe(Command.withDescription("Prints what a push would change, and fails if there is a difference"))

const pull = Command.make("pull", optionsWith(readPermission), ({ directory, ...given }) =>
  Effect.gen(function* () {
    const access = yield* serviceAccess(given, readPermission)
    const { pullTemplates } = yield* load
    yield* pullTemplates(access, directory)
  })
).pipe(Command.withDescription("Writes the templates of a running service to a folder, over the files there"))

export const templateCommands = Command.make("templates").pipe(
  Command.withDescription("Templates in a folder, such as a repository"),
  Command.withSubcommands([push, diff, pull])
)
