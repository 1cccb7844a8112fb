import { HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option } from "effect"

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
    const made = HttpServerResponse.setHeaders(response, Object.assign({}, headers, this.headers))
    this.end(made.status)
    return this.changes.reduce((changed, change) => change(changed), made)
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
