import { Data, Effect, Layer } from "effect"
import { describeConfigError } from "../settings/Setting.js"
import { Settings } from "../settings/Settings.js"
import { Telemetry } from "../telemetry/Telemetry.js"

/** A command that can't do its work; the message says what to do. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

const sentence = (error: unknown): string =>
  error instanceof Error && error.message !== "" ? error.message : String(error)

const SettingsOrAdvice = Layer.mapError(
  Settings.Live,
  (error) => new CommandFailed({ message: describeConfigError(error) })
)

/** Runs a command with the checked settings, and under the logs and traces that they ask for. */
export const withSettings = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  command.pipe(
    Effect.mapError((error) => new CommandFailed({ message: sentence(error) })),
    Effect.provide(Telemetry.pipe(Layer.provideMerge(SettingsOrAdvice)))
  )
