import { HttpApiClient, HttpApiError, type HttpClient, HttpClientError, HttpClientRequest } from "@effect/platform"
import { BadRequestError } from "@switchboard/domain/Errors"
import { Effect, ParseResult } from "effect"
import { AnswerUnreadable, type Operations } from "./Operations.js"
import { UnjudgedApi } from "./Unjudged.js"

/** Errors are logged, and the request that one carries has the key. */
const withoutKey = ({ cause, description, reason, request }: HttpClientError.RequestError) =>
  new HttpClientError.RequestError({
    request: HttpClientRequest.setHeader(request, "x-api-key", "<redacted>"),
    reason,
    cause,
    ...(description === undefined ? {} : { description })
  })

/** Of an answer that came. */
const unreadable = (error: unknown) =>
  ParseResult.isParseError(error) ? new AnswerUnreadable({ reason: error.message }) : error

/** What remains is of the request, but for answers that are none at all. */
const declared = (error: unknown) => {
  if (ParseResult.isParseError(error) || error instanceof HttpApiError.HttpApiDecodeError) {
    return new BadRequestError({ message: error.message })
  }
  if (error instanceof HttpClientError.ResponseError) return new AnswerUnreadable({ reason: error.message })
  return error instanceof HttpClientError.RequestError ? withoutKey(error) : error
}

/** The same call, with what may be left out of a request, and with nothing but its declared errors. */
const tolerant =
  (operation: () => unknown) =>
  (request: object = {}) => {
    const parts = { headers: {}, urlParams: {}, payload: {}, ...request }
    const called: Effect.Effect<unknown, unknown> = Reflect.apply(operation, undefined, [parts])
    return Effect.mapError(called, declared)
  }

const tolerantGroup = (group: object) =>
  Object.fromEntries(Object.entries(group).map(([name, operation]) => [name, tolerant(operation)]))

/** What is derived has the types of what it is derived from; like the platform's client, it can only say so. */
const isDerived = (operations: object): operations is Operations =>
  Object.keys(UnjudgedApi.groups).every((name) => Reflect.has(operations, name))

/** The operations of the interface, called over this client. */
export const deriveOperations = (http: HttpClient.HttpClient, baseUrl: string) =>
  Effect.gen(function* () {
    const derived = yield* HttpApiClient.makeWith(UnjudgedApi, {
      httpClient: http,
      baseUrl,
      transformResponse: Effect.mapError(unreadable)
    })
    const operations: object = Object.fromEntries(
      Object.entries(derived).map(([name, group]) => [name, tolerantGroup(group)])
    )
    return isDerived(operations) ? operations : yield* Effect.dieMessage("The interface has operations in no group")
  })
