import { Data, Effect } from "effect"
import { loadSettings, type Settings } from "../Settings.js"
import { describeConfigError } from "../settings/Setting.js"
import { Telemetry } from "../telemetry/Telemetry.js"

/** A command that can't do its work; the message says what to do. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

const sentence = (error: unknown): string =>
  error instanceof Error && error.message !== "" ? error.message : String(error)

/** Runs something with the checked settings, under the logs and traces that they ask for. */
export const withSettings = <A, E, R>(use: (settings: Settings) => Effect.Effect<A, E, R>) =>
  loadSettings.pipe(
    Effect.mapError((error) => new CommandFailed({ message: describeConfigError(error) })),
    Effect.flatMap((settings) =>
      use(settings).pipe(
        Effect.mapError((error) => new CommandFailed({ message: sentence(error) })),
        Effect.provide(Telemetry(settings))
      )
    )
  )
