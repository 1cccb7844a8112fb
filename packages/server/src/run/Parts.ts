import { Console, Context, Effect, Logger, LogLevel, Option } from "effect"
import { Settings } from "../settings/Settings.js"

/** The parts of the service that a process runs; other commands run none. */
export class Parts extends Context.Reference<Parts>()("server/Parts", {
  defaultValue: (): { readonly api: boolean; readonly worker: boolean } => ({ api: false, worker: false })
}) {}

/** Whether each line of the output must be JSON: LOG_FORMAT is `json`, not only its default without a terminal. */
export const isJsonOutput = Effect.map(Settings, ({ logFormat }) => Option.contains(logFormat, "json"))

/**
 * Prints a line about the start, at any LOG_LEVEL: as text, or with LOG_FORMAT=json as a log line. Like logs, it is on
 * standard output in a server, and on standard error in other commands.
 */
export const announce = (line: string) =>
  Effect.if(isJsonOutput, {
    onTrue: () => Logger.withMinimumLogLevel(Effect.logInfo(line), LogLevel.Info),
    onFalse: () => Effect.flatMap(Parts, ({ api, worker }) => (api || worker ? Console.log(line) : Console.error(line)))
  })
