import { readFileSync } from "node:fs"
import { Config, ConfigError, Either, Option, type Redacted } from "effect"

/** The variable with the path of a file that contains a secret. */
const fileVariable = (name: string): string => `${name}_FILE`

const invalid = (name: string, message: string) => Either.left(ConfigError.InvalidData([name], message))

/** The text of a file, without the line break at its end, which editors and `echo` add. */
const textOf = (variable: string, path: string): Either.Either<string, ConfigError.ConfigError> => {
  const content = Either.try({
    try: () => readFileSync(path, "utf8").replace(/\r?\n$/, ""),
    catch: (error) =>
      ConfigError.InvalidData(
        [variable],
        `${path} can't be read (${error instanceof Error ? error.message : String(error)})`
      )
  })
  return Either.flatMap(content, (text) => (text === "" ? invalid(variable, `${path} is empty`) : Either.right(text)))
}

/**
 * A secret: the value of the environment variable `name`, or the content of the file whose path is in `name_FILE`. Other
 * processes can often read environment variables; secrets of containers and units are files.
 */
export const secret =
  <A>(parse: (text: string) => Either.Either<Redacted.Redacted<A>, string>) =>
  (name: string): Config.Config<Redacted.Redacted<A>> => {
    const variable = fileVariable(name)
    return Config.all({
      value: Config.option(Config.nonEmptyString(name)),
      path: Config.option(Config.nonEmptyString(variable))
    }).pipe(
      Config.mapOrFail(({ path, value }) => {
        const read = (source: string, text: string) =>
          Either.mapLeft(parse(text), (message) => ConfigError.InvalidData([source], message))
        if (Option.isNone(path)) {
          return Option.match(value, {
            onNone: () => Either.left(ConfigError.MissingData([name], "must be set")),
            onSome: (text) => read(name, text)
          })
        }
        if (Option.isSome(value)) return invalid(variable, `must not be set together with ${name}`)
        return Either.flatMap(textOf(variable, path.value), (text) => read(variable, text))
      })
    )
  }

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
