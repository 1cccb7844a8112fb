import { ValidationError } from "@switchboard/domain/Errors"
import { Effect, Either, Option, ParseResult, type Schema } from "effect"
import { compiledDecoder, strictOptions } from "./CompiledDecoder.js"
import { joinFieldErrors } from "./FieldErrors.js"
import { describeIssue } from "./IssueText.js"
import { isStorableJson, unstorableFields } from "./JsonBody.js"

/** The 422 of an invalid body. */
export const invalid = (fields: Record<string, ReadonlyArray<string>>) =>
  new ValidationError({ message: "The request body is invalid", fields })

/** Decodes a value by a schema, or fails with 422. Unlike `decodeBody`, it does not check that its text can be stored. */
export const decodeForm = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = ParseResult.decodeUnknownEither(schema, strictOptions)
  return (value: unknown): Effect.Effect<A, ValidationError> =>
    Effect.catchAll(decode(value), (issue) => invalid(describeIssue(issue)))
}

/** Decodes a value by a schema and checks that it can be stored. Fails with 422 and all errors. */
export const decodeBody = <A, I>(schema: Schema.Schema<A, I>) => {
  const read = compiledDecoder(schema)
  const decode = ParseResult.decodeUnknownEither(schema, strictOptions)
  return (value: unknown): Effect.Effect<A, ValidationError> => {
    const decoded = isStorableJson(value) ? read(value) : Option.none()
    if (Option.isSome(decoded)) return Effect.succeed(decoded.value)
    const unstorable = unstorableFields(value)
    return Either.match(decode(value), {
      onLeft: (issue) => invalid(joinFieldErrors(unstorable, describeIssue(issue))),
      onRight: (result) => (Object.keys(unstorable).length > 0 ? invalid(unstorable) : Effect.succeed(result))
    })
  }
}
