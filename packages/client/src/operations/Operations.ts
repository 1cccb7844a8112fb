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
import { Effect, type ParseResult, Record } from "effect"
import type { Call, Parts } from "./Call.js"
import { type CallError, responseError } from "./CallError.js"
import { type AnyOperation, completeOperation } from "./CompleteOperation.js"
import { atPageQuery } from "./NextPage.js"

/** The errors of `HttpApiClient` that `responseError` and `requestError` replace. */
type Replaced = HttpApiError.HttpApiDecodeError | HttpClientError.ResponseError | ParseResult.ParseError

type Operation<Method> = Method extends (request: infer Request) => Effect.Effect<infer Success, infer Error>
  ? Call<
      Parts<Omit<Exclude<Request, void>, "withResponse">>,
      Exclude<Success, readonly [unknown, HttpClientResponse.HttpClientResponse]>,
      Exclude<Error, Replaced> | CallError
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

type AnyOperations = Readonly<Record<string, Readonly<Record<string, AnyOperation>>>>

/** Completes every operation. Its type must match, which test/operations/OperationTypes.ts verifies. */
function completeAll(derived: Derived): Operations
function completeAll(derived: AnyOperations): AnyOperations {
  return Record.map(derived, (group, groupName) =>
    Record.map(group, (operation, name) => {
      const endpoint = Api.groups[groupName]?.endpoints[name]
      return endpoint === undefined ? operation : completeOperation(operation, endpoint)
    })
  )
}

/** Derives the operations of the API from an HTTP client with the base URL and the key of the service. */
export const deriveOperations = (httpClient: HttpClient.HttpClient): Effect.Effect<Operations> =>
  Effect.map(
    HttpApiClient.makeWith(Api, {
      httpClient: atPageQuery(httpClient),
      transformResponse: Effect.mapError(responseError)
    }),
    completeAll
  )
