import { HttpClient } from "@effect/platform"
import { Effect, FiberRef, Predicate } from "effect"

/** The id of the last request of a call. */
const lastRequestId = FiberRef.unsafeMake<string | undefined>(undefined)

const idsOfErrors = new WeakMap<object, string>()

/** Reads the request id of each response. */
export const readRequestIds: (http: HttpClient.HttpClient) => HttpClient.HttpClient = HttpClient.tap(({ headers }) =>
  FiberRef.set(lastRequestId, headers["x-request-id"])
)

/** Relates the error of a call to the id of its last request. */
export const withRequestId = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapError(call, (error) =>
    Effect.map(FiberRef.get(lastRequestId), (id) => {
      if (id !== undefined && Predicate.isObject(error)) idsOfErrors.set(error, id)
    })
  ).pipe(Effect.locally(lastRequestId, undefined))

/**
 * The id of the request that an error of a call comes from: the `X-Request-Id` of the response, which the logs of the
 * service have too. Undefined if there was no response.
 */
export const requestIdOf = (error: unknown): string | undefined =>
  Predicate.isObject(error) ? idsOfErrors.get(error) : undefined
