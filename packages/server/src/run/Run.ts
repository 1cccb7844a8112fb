import { schemaState } from "@switchboard/store/migrations/Migrations"
import {
  Array,
  Cause,
  Config,
  Console,
  Data,
  Duration,
  Effect,
  GlobalValue,
  Layer,
  Logger,
  Option,
  Predicate
} from "effect"
import { describeConfigError } from "../settings/Setting.js"
import { Settings } from "../settings/Settings.js"
import { Telemetry } from "../telemetry/Otlp.js"

/**
 * Stops Effect from adding each fiber without a parent to a set, which only `Fiber.roots` reads. V8 replaces the table of
 * a set again and again while elements come and go, and a former table refers to the next one. After a table has reached
 * the old generation, all later ones survive minor garbage collections, and with them every request.
 */
export const forgetRootFibers = (): void => {
  const scope = GlobalValue.globalValue(
    Symbol.for("effect/FiberScope/Global"),
    (): { add: (flags: number, fiber: unknown) => void } => ({ add: () => undefined })
  )
  scope.add = () => undefined
}

/** A command failed; the message has the problem and its remedy. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

const messageOf = (error: unknown): string => {
  const message = error instanceof Error && error.message !== "" ? error.message : String(error)
  return Predicate.isTagged(error, "ServiceUnavailableError")
    ? `${message}: check DATABASE_URL and that PostgreSQL is running`
    : message
}

const CheckedSettings = Layer.mapError(
  Settings.Live,
  (error) => new CommandFailed({ message: describeConfigError(error) })
)

/** The validated settings, with the logs and traces that they configure. */
export const Configured = Telemetry.pipe(Layer.provideMerge(CheckedSettings))

/** Runs a command as configured. */
export const withSettings = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  command.pipe(
    Effect.mapError((error) => new CommandFailed({ message: messageOf(error) })),
    Effect.provide(Configured)
  )

/** Interactive commands fail at once if the database can't be reached; only servers wait for it. */
export const withoutWait = Effect.updateService(Settings, (settings) => ({ ...settings, databaseWait: Duration.zero }))

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

/** Fails if this release can't run on the schema of the database, or has migrations for it. */
export const checkSchema = Effect.gen(function* () {
  const { pending, refusal } = yield* schemaState
  if (refusal !== null) return yield* new CommandFailed({ message: refusal })
  if (!Array.isNonEmptyReadonlyArray(pending)) return
  const [first] = pending
  const continues = pending.every(({ requires = 0 }) => requires < first.id)
  const names = pending.map(({ id, name }) => `${id} ${name}`).join(", ")
  return yield* new CommandFailed({
    message: `Pending migrations: ${names}. ${
      continues ? "Processes of the release before continue to run" : "Stop the processes of older releases before"
    }`
  })
})
