import {
  type HttpApi,
  HttpApiClient,
  type HttpApiError,
  type HttpApiGroup,
  type HttpClient,
  type HttpClientError,
  type HttpClientResponse
} from "@effect/platform"
import { Api } from "@switchboard/api"
import { describeIssue } from "@switchboard/api/http/body/IssueText"
import { BadRequestError, isApiError, ValidationError } from "@switchboard/domain/Errors"
import { type Brand, Data, type DateTime, Effect, Option, ParseResult, Predicate, Record, Schema } from "effect"

/** The response is not one that the API declares: from another service, a newer release, or truncated. */
export class AnswerUnreadable extends Data.TaggedError("AnswerUnreadable")<{ readonly reason: string }> {}

/** The errors of any call, besides the errors its operation declares. */
export type CallFailed = HttpClientError.RequestError | AnswerUnreadable

/** A request with plain values: without brands, ids and addresses are strings. */
type Plain<T> = unknown extends T
  ? T
  : T extends DateTime.DateTime | Uint8Array | FormData
    ? T
    : T extends Brand.Brand<string | symbol>
      ? Brand.Brand.Unbranded<T>
      : { readonly [Key in keyof T]: Plain<T[Key]> }

type OptionalPart<Request> = {
  [Part in keyof Request]: Record<never, never> extends Request[Part] ? Part : never
}[keyof Request]

/** Parts of a request without required fields are optional. */
type Parts<Request> = { readonly [Part in OptionalPart<Request>]?: Plain<Request[Part]> } & {
  readonly [Part in Exclude<keyof Request, OptionalPart<Request>>]: Plain<Request[Part]>
}

type Call<Request, Success, Error> =
  Record<never, never> extends Request
    ? <WithResponse extends boolean = false>(
        request?: Request & { readonly withResponse?: WithResponse }
      ) => Effect.Effect<WithResponse extends true ? [Success, HttpClientResponse.HttpClientResponse] : Success, Error>
    : <WithResponse extends boolean = false>(
        request: Request & { readonly withResponse?: WithResponse }
      ) => Effect.Effect<WithResponse extends true ? [Success, HttpClientResponse.HttpClientResponse] : Success, Error>

/** The errors of `HttpApiClient` that `declared` and `refused` replace. */
type Replaced = HttpApiError.HttpApiDecodeError | HttpClientError.ResponseError | ParseResult.ParseError

type Operation<Method> = Method extends (request: infer Request) => Effect.Effect<infer Success, infer Error>
  ? Call<
      Parts<Omit<Exclude<Request, void>, "withResponse">>,
      Exclude<Success, readonly [unknown, HttpClientResponse.HttpClientResponse]>,
      Exclude<Error, Replaced> | CallFailed
    >
  : never

/** The operations as `HttpApiClient` derives them. */
export type Derived =
  typeof Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer Error, infer _R>
    ? HttpApiClient.Client<Extract<Groups, HttpApiGroup.HttpApiGroup.Any>, Error, never>
    : never

/** The operations of the API by group: the client that `HttpApiClient` derives, with plain requests. */
export type Operations = {
  readonly [Group in keyof Derived]: { readonly [Name in keyof Derived[Group]]: Operation<Derived[Group][Name]> }
}

/** The error of a response: one that the API declares, or `AnswerUnreadable`. */
const declared = (error: unknown) =>
  isApiError(error)
    ? error
    : new AnswerUnreadable({
        reason: Predicate.isError(error) ? error.message : "The response is not one that the API declares"
      })

/** The error of a request that can't be encoded: the one that the service would respond with. */
const refused =
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

/** Any derived operation; declared as a method for bivariant parameters. */
type AnyOperation = { call(request: object): Effect.Effect<unknown, unknown> }["call"]

/** An operation with default values for omitted parts of the request, and with the errors of the API. */
const complete =
  (operation: AnyOperation, payloadSchema: Option.Option<Schema.Schema.All>) =>
  (request: { readonly payload?: unknown } = {}) => {
    const parts = { headers: {}, urlParams: {}, payload: {}, ...request }
    return Effect.mapError(operation(parts), refused(payloadSchema, parts.payload))
  }

type AnyOperations = Readonly<Record<string, Readonly<Record<string, AnyOperation>>>>

/** Completes every operation. Its type must match `complete`, which test/operations/OperationTypes.ts verifies. */
function completeAll(derived: Derived): Operations
function completeAll(derived: AnyOperations): AnyOperations {
  return Record.map(derived, (group, groupName) =>
    Record.map(group, (operation, name) =>
      complete(operation, Api.groups[groupName]?.endpoints[name]?.payloadSchema ?? Option.none())
    )
  )
}

/** Derives the operations of the API from an HTTP client with the base URL and the key of the service. */
export const deriveOperations = (httpClient: HttpClient.HttpClient): Effect.Effect<Operations> =>
  Effect.map(HttpApiClient.makeWith(Api, { httpClient, transformResponse: Effect.mapError(declared) }), completeAll)
