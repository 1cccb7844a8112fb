import { HttpClientError, type HttpClientResponse } from "@effect/platform"
import { describeIssue } from "@switchboard/api/http/body/FieldErrors"
import { isApiError } from "@switchboard/domain/Errors"
import { Data, Effect, Option, ParseResult, Predicate } from "effect"
import { responseOfCall } from "./RequestIds.js"

/** The start of a response that is not one of the service: for example the page of a proxy. */
export interface ReceivedResponse {
  readonly status: number
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The first 2,000 characters of the body. */
  readonly body: string
}

/** The response is not one that the API declares: from a proxy, another service, a newer release, or truncated. */
export class InvalidResponseError extends Data.TaggedError("InvalidResponseError")<
  { readonly message: string } & ReceivedResponse
> {}

/** The errors of any call, besides the errors its operation declares. */
export type CallError = HttpClientError.RequestError | InvalidResponseError

const maxBodyLength = 2_000

/** A body that has no end must not hold up its error. */
const bodyTimeout = "5 seconds"

/** The start of a response. A body that can't be read is empty. */
export const receivedResponse = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<ReceivedResponse> =>
  // A body that was read as text can't be read as bytes, and the other way around.
  Effect.map(response.arrayBuffer, (bytes) => new TextDecoder().decode(bytes)).pipe(
    Effect.orElse(() => response.text),
    Effect.timeout(bodyTimeout),
    Effect.orElseSucceed(() => ""),
    Effect.map((body) => ({
      status: response.status,
      headers: { ...response.headers },
      body: body.slice(0, maxBodyLength)
    }))
  )

/** Fails with the error of a response. */
export const invalidResponse = (
  response: HttpClientResponse.HttpClientResponse,
  message: string
): Effect.Effect<never, InvalidResponseError> =>
  Effect.flatMap(receivedResponse(response), (received) => new InvalidResponseError({ message, ...received }))

/** The sentences about an issue, without its types and values. */
export const issueText = (issue: ParseResult.ParseIssue): string =>
  Object.entries(describeIssue(issue))
    .flatMap(([field, sentences]) => sentences.map((sentence) => `${field} ${sentence}`.trim()))
    .slice(0, 3)
    .join("; ")

/** The reason of an undeclared response, for its message. */
const reasonOf = (error: unknown): string => {
  if (ParseResult.isParseError(error)) return issueText(error.issue)
  const cause = error instanceof HttpClientError.ResponseError ? error.cause : undefined
  return Predicate.isError(cause) ? cause.message : ""
}

const undeclared = (status: number, reason: string) =>
  `The response with the status ${status} is not one that the API declares${reason === "" ? "" : `: ${reason}`}`

/** The error of a response: one that the API declares, or `InvalidResponseError`. */
export const responseError = (error: unknown): Effect.Effect<never, unknown> =>
  isApiError(error)
    ? Effect.fail(error)
    : Effect.flatMap(
        responseOfCall,
        Option.match({
          onNone: () => Effect.fail(error),
          onSome: (response) => invalidResponse(response, undeclared(response.status, reasonOf(error)))
        })
      )
