import { ValidationError } from "@switchboard/domain/Errors"
import { FileContent } from "@switchboard/domain/messages/Attachment"
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

/** The maximum number of values of a body of which all errors are reported: the schema needs up to 10 µs for each. */
const maxReportedValues = 10_000

/** Whether a value consists of at most `limit` values. */
const isAtMost = (value: unknown, limit: number): boolean => {
  const rest = [value]
  for (let count = 0; rest.length > 0 && count + rest.length <= limit; count++) {
    const next = rest.pop()
    if (typeof next !== "object" || next === null || next instanceof FileContent) continue
    for (const member of Object.values(next)) rest.push(member)
  }
  return rest.length === 0
}

/**
 * Decodes a value by a schema and checks that it can be stored. Fails with 422 and all errors, or the first one of a body of
 * more than 10,000 values.
 */
export const decodeBody = <A, I>(schema: Schema.Schema<A, I>) => {
  const read = compiledDecoder(schema)
  const decode = ParseResult.decodeUnknownEither(schema, strictOptions)
  const decodeLarge = ParseResult.decodeUnknownEither(schema, { ...strictOptions, errors: "first" })
  return (value: unknown): Effect.Effect<A, ValidationError> => {
    const decoded = isStorableJson(value) ? read(value) : Option.none()
    if (Option.isSome(decoded)) return Effect.succeed(decoded.value)
    const unstorable = unstorableFields(value)
    return Either.match(isAtMost(value, maxReportedValues) ? decode(value) : decodeLarge(value), {
      onLeft: (issue) => invalid(joinFieldErrors(unstorable, describeIssue(issue))),
      onRight: (result) => (Object.keys(unstorable).length > 0 ? invalid(unstorable) : Effect.succeed(result))
    })
  }
}
