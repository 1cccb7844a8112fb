import { HttpClient, type HttpClientResponse } from "@effect/platform"
import { Effect, FiberRef, Option, Predicate } from "effect"

/** The last response of a call. */
const lastResponse = FiberRef.unsafeMake(Option.none<HttpClientResponse.HttpClientResponse>())

const idsOfErrors = new WeakMap<object, string>()

/** Records each response of a call. */
export const recordResponses: (http: HttpClient.HttpClient) => HttpClient.HttpClient = HttpClient.tap((response) =>
  FiberRef.set(lastResponse, Option.some(response))
)

/** The last response of the call. None: there was none. */
export const responseOfCall = FiberRef.get(lastResponse)

/** Relates an error to the id of the response that it comes from. */
export const relateToResponse = (error: unknown, { headers }: HttpClientResponse.HttpClientResponse): void => {
  const id = headers["x-request-id"]
  if (id !== undefined && Predicate.isObject(error)) idsOfErrors.set(error, id)
}

/** Relates the error of a call to the id of its last response. */
export const withRequestId = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapError(call, (error) =>
    Effect.map(
      responseOfCall,
      Option.map((response) => relateToResponse(error, response))
    )
  ).pipe(Effect.locally(lastResponse, Option.none()))

/**
 * The id of the request that an error comes from: the `X-Request-Id` of the response, which the logs of the service have
 * too. Undefined if there was no response, or if it has no id.
 */
export const requestIdOf = (error: unknown): string | undefined =>
  Predicate.isObject(error) ? idsOfErrors.get(error) : undefined
