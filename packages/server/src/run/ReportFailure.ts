import { Cause, Config, Console, Effect, Logger, Option } from "effect"
import type { CommandFailed } from "./Run.js"

const jsonErrors = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.jsonLogger))

/** Prints a line to standard error; with LOG_FORMAT=json as a log line. Reads the variable: settings can be invalid. */
const printError = (line: string) =>
  Effect.option(Config.string("LOG_FORMAT")).pipe(
    Effect.flatMap((format) =>
      Option.contains(format, "json")
        ? Effect.provide(Effect.logError(line), jsonErrors)
        : Console.error(`switchboard: ${line}`)
    )
  )

/** Prints why a command failed, without stack traces. */
export const reportFailure = <A, R>(command: Effect.Effect<A, CommandFailed, R>) =>
  command.pipe(
    Effect.tapError(({ message }) => printError(message)),
    Effect.tapDefect((cause) => printError(`this is a bug of Switchboard: ${Cause.pretty(cause)}`))
  )
