import { setFlagsFromString } from "node:v8"
import { CliConfig, Command, Options, ValidationError } from "@effect/cli"
import { Version } from "@switchboard/services/Version"
import { Console, Effect, Layer } from "effect"
import { backupCommand, holdCommand, releaseCommand, restoreCommand } from "./backup/BackupCommands.js"
import { eraseCommand } from "./erase/EraseCommand.js"
import { keyCommands } from "./keys/KeyCommands.js"
import { masterKeyCommand } from "./keys/MasterKeyCommand.js"
import { DatabaseLive, Migrated } from "./layers/Storage.js"
import { listenCommand } from "./listen/ListenCommand.js"
import { loginLinkCommand } from "./login/LoginLinkCommand.js"
import { mcpCommand } from "./mcp/McpCommand.js"
import { messageCommands } from "./messages/MessageCommands.js"
import { numberCommands } from "./numbers/NumberCommands.js"
import { organizationCommands } from "./organizations/OrganizationCommands.js"
import { ProcessCount } from "./processes/Supervisor.js"
import { queueCommands } from "./queues/QueueCommands.js"
import { option, parseBy } from "./ReadArguments.js"
import { requestCommand } from "./request/RequestCommand.js"
import { rollupCommands } from "./rollups/RollupCommands.js"
import { checkArguments, cliConfig, findCommand, helpOf, usageError } from "./run/Help.js"
import { jsonOption } from "./run/Output.js"
import { Parts } from "./run/Parts.js"
import { CommandFailed, checkSchema, forgetRootFibers, reportFailure, withoutWait, withSettings } from "./run/Run.js"
import { warnOfUnknownVariables } from "./settings/Settings.js"
import { templateCommands } from "./templates/TemplateCommands.js"

// Modules that only one command needs are imported by it, so that the other commands start sooner.

const loadServe = Effect.promise(() => {
  // V8 compiles functions at their first call; by default it interprets them until they are hot.
  setFlagsFromString("--always-sparkplug")
  // By default V8 creates objects in the old generation if earlier ones of the same code survived a minor garbage
  // collection, as those of a slow request. They keep their requests until a major one.
  setFlagsFromString("--no-allocation-site-pretenuring")
  forgetRootFibers()
  return import("./run/Serve.js").then(({ serve }) => serve)
})
const loadDoctor = Effect.promise(() => import("./doctor/Doctor.js").then(({ doctor }) => doctor))

const loadSupervise = Effect.promise(() => import("./processes/Supervisor.js").then(({ supervise }) => supervise))

/** Runs a process with these parts of the service. */
const runParts = <A, E, R>(parts: Parts["Type"], process: Effect.Effect<A, E, R>) =>
  Effect.provideService(withSettings(process), Parts, parts)

const processCommand = (name: string, description: string, parts: Parts["Type"]) =>
  Command.make(name, {}, () => runParts(parts, Effect.flatten(loadServe))).pipe(Command.withDescription(description))

const serveCommand = Command.make(
  "serve",
  {
    processes: option(
      "processes",
      "NUMBER",
      "number of processes: 1 to 64, or auto for one per core; default: 1",
      parseBy(ProcessCount)
    ).pipe(Options.withDefault(1))
  },
  ({ processes }) =>
    runParts(
      { api: true, worker: true },
      processes === 1 ? Effect.flatten(loadServe) : Effect.flatMap(loadSupervise, (supervise) => supervise(processes))
    )
).pipe(Command.withDescription("Runs the API and the worker"))

const migrate = Command.make(
  "migrate",
  {
    check: Options.boolean("check").pipe(
      Options.withDescription("lists the pending migrations, and fails if there are any")
    )
  },
  ({ check }) =>
    (check
      ? withSettings(Effect.provide(checkSchema, DatabaseLive))
      : withSettings(Effect.provide(Effect.void, Migrated.pipe(Layer.provide(DatabaseLive))))
    ).pipe(Effect.zipRight(Console.log("The schema is up to date")))
).pipe(Command.withDescription("Applies the pending migrations of the database"))

const examine = Command.make("doctor", { json: jsonOption }, ({ json }) =>
  withSettings(
    Effect.gen(function* () {
      yield* warnOfUnknownVariables
      const doctor = yield* loadDoctor
      if (!(yield* withoutWait(doctor(json)))) {
        return yield* new CommandFailed({ message: 'Correct the errors above, then run "switchboard doctor" again' })
      }
    })
  )
).pipe(Command.withDescription("Checks settings, database, queues, DNS records, relay and bucket, and prints remedies"))

/** All commands of `switchboard`. */
const switchboard = Command.make("switchboard").pipe(
  Command.withSubcommands([
    serveCommand,
    processCommand("api", "Runs only the API", { api: true, worker: false }),
    processCommand("worker", "Runs only the worker", { api: false, worker: true }),
    migrate,
    examine,
    eraseCommand,
    backupCommand,
    restoreCommand,
    holdCommand,
    releaseCommand,
    listenCommand,
    requestCommand,
    templateCommands,
    mcpCommand,
    loginLinkCommand,
    masterKeyCommand,
    queueCommands,
    messageCommands,
    keyCommands,
    organizationCommands,
    numberCommands,
    rollupCommands
  ])
)

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
