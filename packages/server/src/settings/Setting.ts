import { Config, ConfigError, Either } from "effect"

/** One setting as described by `switchboard --help` and docs/settings.md. */
export interface SettingDoc {
  readonly name: string
  readonly type: string
  /** The unit of the value; durations name theirs in the value. */
  readonly unit?: string
  readonly default: string
  readonly meaning: string
}

/** A setting with its documentation. */
export interface Setting<A> extends Config.Config<A> {
  readonly doc: SettingDoc
}

/** Declares a setting that is read from the environment variable `name`. */
export const setting = <A>(
  name: string,
  doc: Omit<SettingDoc, "name">,
  read: (name: string) => Config.Config<A>
): Setting<A> => Object.assign(read(name), { doc: { name, ...doc } })

/** A non-empty text that `parse` accepts. */
export const parsed =
  <A>(parse: (text: string) => Either.Either<A, string>) =>
  (name: string) =>
    Config.mapOrFail(Config.nonEmptyString(name), (text) =>
      Either.mapLeft(parse(text), (message) => ConfigError.InvalidData([], message))
    )

/** An integer from `min` to `max`. */
export const wholeNumber = (min: number, max: number) =>
  parsed((text) => {
    const value = Number(text)
    return /^\d+$/.test(text) && value >= min && value <= max
      ? Either.right(value)
      : Either.left(`must be a whole number from ${min} to ${max}`)
  })

const lines = (error: ConfigError.ConfigError): ReadonlyArray<string> =>
  error._op === "And" || error._op === "Or"
    ? [...lines(error.left), ...lines(error.right)]
    : [`${error.path.join("_")}: ${error.message}`]

/** The errors of the settings: one line per setting, which begins with its name. */
export const describeConfigError = (error: ConfigError.ConfigError): string => lines(error).join("\n")
