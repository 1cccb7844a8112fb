import { NodeContext } from "@effect/platform-node"
import { program } from "@switchboard/server/Program"
import { RequiresDurability } from "@switchboard/store/database/DatabaseSettings"
import { Cause, ConfigProvider, Effect, Exit } from "effect"
import { collectingConsole } from "./CollectingConsole.js"

/** Runs a command of `switchboard` in this process, as its program does. */
const execute = (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>>,
  collecting?: ReturnType<typeof collectingConsole>
) =>
  Effect.suspend(() => {
    const { console, output } = collecting ?? collectingConsole()
    return program(args, "0.0.0").pipe(
      Effect.provideService(RequiresDurability, false),
      Effect.provide(NodeContext.layer),
      Effect.withConsole(console),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
      Effect.exit,
      Effect.map((exit) => ({ exit, ...output() }))
    )
  })

/** Starts a command that runs until its scope ends; `output` is its output so far. */
export const startCommand = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
  Effect.suspend(() => {
    const collecting = collectingConsole()
    return Effect.as(Effect.forkScoped(execute(args, environment, collecting)), collecting)
  })

/** Runs a command that must succeed; returns its output. */
export const runCommand = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
  Effect.flatMap(execute(args, environment), ({ exit, stderr, stdout }) =>
    Exit.isSuccess(exit)
      ? Effect.succeed({ stdout, stderr })
      : Effect.dieMessage(`${stdout}${stderr}${Cause.pretty(exit.cause)}`)
  )

/** Runs a command that must fail; returns its error output. */
export const failingCommand = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
  Effect.flatMap(execute(args, environment), ({ exit, stderr }) =>
    Exit.isFailure(exit) ? Effect.succeed(stderr) : Effect.dieMessage("The command succeeded")
  )

/** Runs a command that may fail; returns its standard output. */
export const outputOf = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
  Effect.map(execute(args, environment), ({ stdout }) => stdout)
