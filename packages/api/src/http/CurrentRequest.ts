import { type HttpApiMiddleware, HttpServerResponse } from "@effect/platform"
import { Context, Effect, FiberRef, Option } from "effect"

/** Changes a response before it is sent. */
type ResponseChange = (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse

/** What the handlers of a request leave for its response. */
export class RequestInProgress {
  private readonly headers: Record<string, string> = {}
  private readonly changes: Array<ResponseChange> = []
  private readonly listeners: Array<(status: number) => void> = []

  addHeaders(headers: Readonly<Record<string, string>>): void {
    Object.assign(this.headers, headers)
  }

  change(change: ResponseChange): void {
    this.changes.push(change)
  }

  /** Calls a listener with the status of the response. */
  onEnd(listener: (status: number) => void): void {
    this.listeners.push(listener)
  }

  /** Calls the listeners. */
  end(status: number): void {
    for (const listener of this.listeners) listener(status)
  }

  /** The response with these headers, and with the headers and changes of the handlers. Ends the request. */
  complete(
    response: HttpServerResponse.HttpServerResponse,
    headers: Readonly<Record<string, string>>
  ): HttpServerResponse.HttpServerResponse {
    this.end(response.status)
    const withHeaders = HttpServerResponse.setHeaders(response, { ...headers, ...this.headers })
    return this.changes.reduce((changed, change) => change(changed), withHeaders)
  }
}

/** The request that a fiber serves. */
export class CurrentRequest extends Context.Tag("api/CurrentRequest")<CurrentRequest, RequestInProgress>() {}

const withCurrent = (use: (request: RequestInProgress) => void): Effect.Effect<void> =>
  Effect.map(Effect.serviceOption(CurrentRequest), Option.map(use))

/** Changes the response of the current request before it is sent. */
export const changeResponse = (change: ResponseChange) => withCurrent((request) => request.change(change))

/** Adds headers to the response of the current request. */
export const addHeaders = (headers: Readonly<Record<string, string>>) =>
  withCurrent((request) => request.addHeaders(headers))

/** Calls a listener with the status of the response to the current request. */
export const onEnd = (listener: (status: number) => void) => withCurrent((request) => request.onEnd(listener))

/** The services of middlewares are used before. */
type Middleware = HttpApiMiddleware.HttpApiMiddleware.AnyId

/**
 * Runs an effect with these services. The fiber keeps them: each request has its own fiber. `Effect.provide` restores the
 * earlier services, which costs nine times as many operations.
 */
export function withContext<A, E, R>(
  effect: Effect.Effect<A, E, R>,
  context: Context.Context<Exclude<R, Middleware>>
): Effect.Effect<A, E>
export function withContext(
  effect: Effect.Effect<unknown, unknown, unknown>,
  context: Context.Context<never>
): Effect.Effect<unknown, unknown, unknown> {
  return Effect.zipRight(FiberRef.set(FiberRef.currentContext, context), effect)
}
