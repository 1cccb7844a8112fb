import { Config, ConfigError, Either } from "effect"

/** One setting as operators see it in `switchboard --help` and in the README's table. */
export interface SettingDoc {
  readonly name: string
  readonly type: string
  readonly default: string
  readonly meaning: string
}

/** A setting: how its value is read, and what it says to operators. */
export interface Setting<A> extends Config.Config<A> {
  readonly doc: SettingDoc
}

/** A setting that is read from the environment variable of its name. */
export const setting = <A>(
  name: string,
  about: Omit<SettingDoc, "name">,
  read: (name: string) => Config.Config<A>
): Setting<A> => Object.assign(read(name), { doc: { name, ...about } })

/** A text that some function understands. */
export const parsed =
  <A>(parse: (text: string) => Either.Either<A, string>) =>
  (name: string) =>
    Config.mapOrFail(Config.nonEmptyString(name), (text) =>
      Either.mapLeft(parse(text), (message) => ConfigError.InvalidData([], message))
    )

/** A whole number within bounds. */
export const wholeNumber = (least: number, most: number) =>
  parsed((text) => {
    const value = Number(text)
    return /^\d+$/.test(text) && value >= least && value <= most
      ? Either.right(value)
      : Either.left(`must be a whole number from ${least} to ${most}`)
  })

const lines = (error: ConfigError.ConfigError): ReadonlyArray<string> =>
  error._op === "And" || error._op === "Or"
    ? [...lines(error.left), ...lines(error.right)]
    : [`${error.path.join("_")}: ${error.message}`]

/** What is wrong with the settings, one line a setting, each beginning with its name. */
export const describeConfigError = (error: ConfigError.ConfigError): string => lines(error).join("\n")
