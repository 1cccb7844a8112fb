import { readFileSync } from "node:fs"
import { Config, ConfigError, Either, Option, type Redacted } from "effect"

/** The variable with the path of a file that contains a secret. */
export const fileVariable = (name: string): string => `${name}_FILE`

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
