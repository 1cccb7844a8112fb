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

/** The response is none of those that the interface declares: from another service, a newer release, or cut off. */
export class AnswerUnreadable extends Data.TaggedError("AnswerUnreadable")<{ readonly reason: string }> {}

/** The errors of any call besides those that its operation declares. */
export type CallFailed = HttpClientError.RequestError | AnswerUnreadable

/** A request as plain values: without brands, an id or an address is text. */
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

/** The failures of `HttpApiClient` that `declared` and `refused` replace. */
type Replaced = HttpApiError.HttpApiDecodeError | HttpClientError.ResponseError | ParseResult.ParseError

type Operation<Method> = Method extends (request: infer Request) => Effect.Effect<infer Success, infer Error>
  ? Call<
      Parts<Omit<Exclude<Request, void>, "withResponse">>,
      Exclude<Success, readonly [unknown, HttpClientResponse.HttpClientResponse]>,
      Exclude<Error, Replaced> | CallFailed
    >
  : never

/** The operations as `HttpApiClient` makes them. */
export type Derived =
  typeof Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer Error, infer _R>
    ? HttpApiClient.Client<Extract<Groups, HttpApiGroup.HttpApiGroup.Any>, Error, never>
    : never

/** The operations of the interface by their groups: the client that `HttpApiClient` derives, with plain requests. */
export type Operations = {
  readonly [Group in keyof Derived]: { readonly [Name in keyof Derived[Group]]: Operation<Derived[Group][Name]> }
}

/** The error of a response: one that the interface declares, or `AnswerUnreadable`. */
const declared = (error: unknown) =>
  isApiError(error)
    ? error
    : new AnswerUnreadable({ reason: Predicate.isError(error) ? error.message : "The response has another form" })

/** The error of a request that can't be encoded: the one by which the service refuses it. */
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

/** Any derived operation; a method, so that its request may have any parts. */
type AnyOperation = { call(request: object): Effect.Effect<unknown, unknown> }["call"]

/** An operation with the parts of a request that are left out, and with the errors of the interface. */
const complete =
  (operation: AnyOperation, payloadSchema: Option.Option<Schema.Schema.All>) =>
  (request: { readonly payload?: unknown } = {}) => {
    const parts = { headers: {}, urlParams: {}, payload: {}, ...request }
    return Effect.mapError(operation(parts), refused(payloadSchema, parts.payload))
  }

type AnyOperations = Readonly<Record<string, Readonly<Record<string, AnyOperation>>>>

/** Completes every operation. The type of each follows from `complete`, which test/operations/OperationTypes.ts proves. */
function completeAll(derived: Derived): Operations
function completeAll(derived: AnyOperations): AnyOperations {
  return Record.map(derived, (group, groupName) =>
    Record.map(group, (operation, name) =>
      complete(operation, Api.groups[groupName]?.endpoints[name]?.payloadSchema ?? Option.none())
    )
  )
}

/** The operations of the interface over an HTTP client that has the address and the key of the service. */
export const deriveOperations = (httpClient: HttpClient.HttpClient): Effect.Effect<Operations> =>
  Effect.map(HttpApiClient.makeWith(Api, { httpClient, transformResponse: Effect.mapError(declared) }), completeAll)
