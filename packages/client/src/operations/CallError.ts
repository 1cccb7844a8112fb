import type { HttpClientError } from "@effect/platform"
import { describeIssue } from "@switchboard/api/http/body/IssueText"
import { BadRequestError, isApiError, ValidationError } from "@switchboard/domain/Errors"
import { Data, Option, ParseResult, Predicate, Schema } from "effect"

/** The response is not one that the API declares: from another service, a newer release, or truncated. */
export class InvalidResponseError extends Data.TaggedError("InvalidResponseError")<{ readonly message: string }> {}

/** The errors of any call, besides the errors its operation declares. */
export type CallError = HttpClientError.RequestError | InvalidResponseError

/** The error of a response: one that the API declares, or `InvalidResponseError`. */
export const responseError = (error: unknown) =>
  isApiError(error)
    ? error
    : new InvalidResponseError({
        message: Predicate.isError(error) ? error.message : "The response is not one that the API declares"
      })

/** The error of a request that can't be encoded: the one that the service would respond with. */
export const requestError =
  (payloadSchema: Option.Option<Schema.Schema.All>, payload: unknown) =>
  (error: unknown): unknown => {
    if (!ParseResult.isParseError(error)) return error
    const encoded = Option.map(payloadSchema, ({ ast }) =>
      ParseResult.encodeUnknownEither(Schema.make<unknown>(ast), { errors: "all" })(payload)
    )
    return Option.isSome(encoded) && encoded.value._tag === "Left"
      ? new ValidationError({ message: "The request body is invalid", fields: describeIssue(encoded.value.left) })
      : new BadRequestError({ message: error.message })
  }
