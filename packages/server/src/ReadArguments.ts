import { HelpDoc, Options, ValidationError } from "@effect/cli"
import { Either, ParseResult, Schema } from "effect"

/** Parses the text of an argument. The error is the rest of a sentence: "must be a positive integer". */
type Parse<A> = (text: string) => Either.Either<A, string>

/** A parser by a schema. */
export const parseBy =
  <A>(schema: Schema.Schema<A, string>): Parse<A> =>
  (text) =>
    Either.mapLeft(
      Schema.decodeEither(schema)(text),
      (error) => ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.message ?? "is invalid"
    )

/** A parser whose error is one line that begins with the name of the argument. */
export const namedParse =
  <A>(name: string, parse: Parse<A>) =>
  (text: string) =>
    Either.mapLeft(parse(text), (problem) => HelpDoc.p(`${name} ${problem}`))

/** An option of a command, `--name PLACEHOLDER`. The description has its default and unit. */
export const option = <A>(name: string, placeholder: string, description: string, parse: Parse<A>) =>
  Options.text(name).pipe(
    Options.withPseudoName(placeholder),
    Options.withDescription(description),
    Options.mapEffect((text) => Either.mapLeft(namedParse(`--${name}`, parse)(text), ValidationError.invalidValue))
  )

/** An option with a text. */
export const textOption = (name: string, placeholder: string, description: string) =>
  option(name, placeholder, description, Either.right)

/** An option with one of some values. */
export const choice = <const A extends string>(name: string, values: ReadonlyArray<A>, description: string) =>
  option(name, values.join("|"), description, (text) =>
    Either.fromNullable(
      values.find((value) => value === text),
      () => `must be one of ${values.join(", ")}`
    )
  )

export const parseTime = parseBy(
  Schema.DateTimeUtc.annotations({ message: () => "must be a time such as 2026-11-23T10:00:00Z" })
)
