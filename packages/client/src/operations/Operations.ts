import {
  type HttpApi,
  HttpApiClient,
  type HttpApiGroup,
  type HttpClient,
  HttpClientResponse,
  type UrlParams
} from "@effect/platform"
import { Api } from "@switchboard/api"
import { Chunk, Effect, Encoding, Option, Predicate, Record, type Schema, SchemaAST, Stream } from "effect"
import type { Operations } from "../ApiTypes.js"
import { idempotencyKeyHeader } from "../Retries.js"
import { responseError } from "./CallError.js"
import { type EndpointSchemas, requestCheck } from "./CheckRequest.js"
import { atPageQuery, nextPageQuery, PageQuery } from "./NextPage.js"
import { recordResponses, withRequestId } from "./RequestIds.js"

/** Any derived operation; declared as a method for bivariant parameters. */
type AnyOperation = { call(request: object): Effect.Effect<unknown, unknown> }["call"]

/** The parts of any request. */
interface AnyRequest {
  readonly headers?: object
  readonly urlParams?: object
  readonly payload?: unknown
}

const randomKey = Effect.sync(() => Encoding.encodeHex(crypto.getRandomValues(new Uint8Array(16))))

/** Names of headers are case-insensitive (RFC 9110 section 5.1); the declaration has them in lower case. */
const lowerCase = (headers: object) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** The headers with an idempotency key: that of the headers or of the body, or a random one. */
const withKey = ({ headers = {}, payload }: AnyRequest) => {
  if (Predicate.hasProperty(headers, idempotencyKeyHeader) && headers[idempotencyKeyHeader] !== undefined) {
    return Effect.succeed(headers)
  }
  const keyOfBody = Predicate.hasProperty(payload, "idempotencyKey") ? payload.idempotencyKey : undefined
  const key = keyOfBody === undefined ? randomKey : Effect.succeed(keyOfBody)
  return Effect.map(key, (value) => ({ ...headers, [idempotencyKeyHeader]: value }))
}

const isPageWithResponse = (
  value: unknown
): value is readonly [{ readonly items: ReadonlyArray<unknown> }, HttpClientResponse.HttpClientResponse] =>
  Array.isArray(value) &&
  Predicate.hasProperty(value[0], "items") &&
  Array.isArray(value[0].items) &&
  Predicate.hasProperty(value[1], HttpClientResponse.TypeId)

const maxPageSize = 100

/**
 * The items of all pages of a list, from the page of the request. The link to the next page is read after the items of a
 * page are emitted.
 */
const allItems =
  (list: AnyOperation) =>
  (request: AnyRequest = {}): Stream.Stream<unknown, unknown> => {
    const firstPage = list({ ...request, urlParams: { limit: maxPageSize, ...request.urlParams }, withResponse: true })
    const pageAt = (query: UrlParams.UrlParams) => Effect.provideService(firstPage, PageQuery, Option.some(query))
    const first: Effect.Effect<Option.Option<typeof firstPage>, unknown> = Effect.succeedSome(firstPage)

    return Stream.unfoldChunkEffect(first, (next) =>
      Effect.gen(function* () {
        const page = yield* next
        if (Option.isNone(page)) return Option.none()
        const [{ items }, response] = yield* Effect.filterOrDieMessage(
          page.value,
          isPageWithResponse,
          "A list must return a page and its response"
        )
        return Option.some([
          Chunk.fromIterable(items),
          Effect.map(nextPageQuery(response), Option.map(pageAt))
        ] as const)
      })
    )
  }

const hasField = (schema: Option.Option<Schema.Schema.All>, name: string): boolean =>
  Option.exists(schema, ({ ast }) => SchemaAST.getPropertySignatures(ast).some((field) => field.name === name))

/**
 * Completes an operation: default values for omitted parts of the request, an idempotency key for all retries of a call,
 * a check of the request, the errors of the API, and for a list the stream of all its items.
 */
const completeOperation = (operation: AnyOperation, endpoint: EndpointSchemas) => {
  const headersOf = hasField(endpoint.headersSchema, idempotencyKeyHeader)
    ? withKey
    : ({ headers = {} }: AnyRequest) => Effect.succeed(headers)
  // Compiled by the first call: a program uses few operations.
  const check = Effect.runSync(Effect.cached(Effect.sync(() => requestCheck(endpoint))))

  const call = (request: AnyRequest = {}) =>
    Effect.gen(function* () {
      const headers = yield* headersOf({ ...request, headers: lowerCase(request.headers ?? {}) })
      const checked = yield* (yield* check)({ ...request, headers })
      return yield* withRequestId(operation({ ...request, ...checked }))
    })
  return hasField(endpoint.urlParamsSchema, "after") ? Object.assign(call, { all: allItems(call) }) : call
}

/** The operations as `HttpApiClient` derives them. */
export type Derived =
  typeof Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer Error, infer _R>
    ? HttpApiClient.Client<Extract<Groups, HttpApiGroup.HttpApiGroup.Any>, Error, never>
    : never

type AnyOperations = Readonly<Record<string, Readonly<Record<string, AnyOperation>>>>

type Completed = { readonly [Group in keyof Operations]: Pick<Operations[Group], keyof Operations[Group]> }

/** Completes every operation. Its type must match, which test/operations/OperationTypes.ts verifies. */
function completeAll(derived: Derived): Completed
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
      httpClient: atPageQuery(recordResponses(httpClient)),
      transformResponse: Effect.catchAll(responseError)
    }),
    completeAll
  )
