import { Config, ConfigError, Either, type Option, type Redacted } from "effect"
import { fileVariable, secret } from "./Secret.js"

/** One setting as described by `switchboard --help` and docs/settings.md. */
export interface SettingDoc {
  readonly name: string
  readonly type: string
  /** The unit of the value; durations name theirs in the value. */
  readonly unit?: string
  readonly default: string
  readonly meaning: string
  /** Whether the value can be in a file, whose path is then in the variable with `_FILE`. */
  readonly isSecret?: true
}

/** The variables of a setting. */
export const variablesOf = ({ isSecret, name }: SettingDoc): ReadonlyArray<string> =>
  isSecret === true ? [name, fileVariable(name)] : [name]

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

/** Declares an optional setting that is read from the environment variable `name`, or from the file of `name_FILE`. */
export const secretSetting = <A>(
  name: string,
  doc: Omit<SettingDoc, "name">,
  parse: (text: string) => Either.Either<Redacted.Redacted<A>, string>
): Setting<Option.Option<Redacted.Redacted<A>>> =>
  setting(name, { ...doc, isSecret: true }, (variable) => Config.option(secret(parse)(variable)))

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
