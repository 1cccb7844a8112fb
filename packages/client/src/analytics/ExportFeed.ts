import { type HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import type { ExportFormat, ExportType } from "@switchboard/domain/analytics/Export"
import {
  BadRequestError,
  ForbiddenError,
  InternalError,
  RateLimitedError,
  ServiceUnavailableError,
  UnauthorizedError
} from "@switchboard/domain/Errors"
import { Data, DateTime, Effect, Predicate, Schema, Stream } from "effect"
import { issueText, type ReceivedResponse, receivedResponse } from "../operations/CallError.js"
import { relateToResponse } from "../operations/RequestIds.js"

/**
 * From `startDate` inclusive to `endDate` exclusive. Default: the last 30 days. A text like `2026-11-28` is that complete
 * day in the time zone of the organization.
 */
export interface ExportRange {
  readonly startDate?: DateTime.Utc | string
  readonly endDate?: DateTime.Utc | string
}

const endText = (end: DateTime.Utc | string) => (Predicate.isString(end) ? end : DateTime.formatIso(end))

/** The type and format of an export, and its range. */
export interface ExportRequest extends ExportRange {
  readonly type: ExportType
  readonly format: ExportFormat
}

/**
 * The export was interrupted or could not be read: the rows so far are incomplete. A response that is not one of the service,
 * for example of a proxy, is in `status`, `headers` and `body`.
 */
export class ExportIncompleteError extends Data.TaggedError("ExportIncompleteError")<
  { readonly message: string } & Partial<ReceivedResponse>
> {}

const Rejection = Schema.Union(
  BadRequestError,
  ForbiddenError,
  InternalError,
  RateLimitedError,
  ServiceUnavailableError,
  UnauthorizedError
)

/** The errors of an export: a rejected request, or an interrupted export. */
export type ExportError = typeof Rejection.Type | ExportIncompleteError

const incomplete = ({ cause, message }: { readonly cause?: unknown; readonly message: string }) =>
  new ExportIncompleteError({ message: cause instanceof Error && cause.message !== "" ? cause.message : message })

const rejectionOf = (response: HttpClientResponse.HttpClientResponse) =>
  HttpClientResponse.schemaBodyJson(Rejection)(response).pipe(
    Effect.catchAll(() =>
      Effect.flatMap(
        receivedResponse(response),
        (received) =>
          new ExportIncompleteError({ message: `The service responded with status ${response.status}`, ...received })
      )
    ),
    Effect.flatMap((rejection) => Effect.fail(rejection)),
    Effect.tapError((error) => Effect.sync(() => relateToResponse(error, response)))
  )

/** The response body as text. The stream ends without an error only if the text is complete. */
const textFeed = (
  http: HttpClient.HttpClient,
  path: string,
  parameters: Readonly<Record<string, string>> = {}
): Stream.Stream<string, ExportError> =>
  Effect.gen(function* () {
    const request = HttpClientRequest.setUrlParams(HttpClientRequest.get(path), parameters)
    const response = yield* Effect.mapError(http.execute(request), incomplete)
    if (response.status !== 200) return yield* rejectionOf(response)
    return response.stream.pipe(
      Stream.mapError(incomplete),
      Stream.tapError((error) => Effect.sync(() => relateToResponse(error, response))),
      Stream.decodeText()
    )
  }).pipe(Stream.unwrap)

/** The text of an export of messages or events. */
export const exportFeed = (http: HttpClient.HttpClient, { endDate, format, startDate, type }: ExportRequest) =>
  textFeed(http, "/v1/analytics/export", {
    type,
    format,
    ...(startDate === undefined ? {} : { startDate: endText(startDate) }),
    ...(endDate === undefined ? {} : { endDate: endText(endDate) })
  })

/** The text of an export of blocks: CSV. */
export const blocksFeed = (http: HttpClient.HttpClient) => textFeed(http, "/v1/email/blocks/export")

/** The decoded rows of an export. */
export const exportRows =
  <A, I>(row: Schema.Schema<A, I>) =>
  (http: HttpClient.HttpClient, type: ExportType, range: ExportRange): Stream.Stream<A, ExportError> => {
    const decode = Schema.decodeUnknown(Schema.parseJson(row))
    return exportFeed(http, { ...range, type, format: "ndjson" }).pipe(
      Stream.splitLines,
      Stream.mapEffect((line) =>
        Effect.mapError(
          decode(line),
          ({ issue }) => new ExportIncompleteError({ message: `A row can't be read: ${issueText(issue)}` })
        )
      )
    )
  }
