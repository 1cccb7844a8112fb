import { Data, Duration, Effect, Layer, Predicate } from "effect"
import { describeConfigError } from "../settings/Setting.js"
import { Settings } from "../settings/Settings.js"
import { Telemetry } from "../telemetry/Telemetry.js"

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
