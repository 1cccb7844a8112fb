import { HttpServerResponse } from "@effect/platform"
import { Effect, FiberRef, GlobalValue } from "effect"

/** Changes a response before it is sent. */
type ResponseChange = (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse

/** What the handlers of a request leave for its response. */
export class CurrentRequest {
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
    const made = HttpServerResponse.setHeaders(response, { ...headers, ...this.headers })
    this.end(made.status)
    return this.changes.reduce((changed, change) => change(changed), made)
  }
}

/** The request that a fiber serves; null outside requests. */
export const currentRequest: FiberRef.FiberRef<CurrentRequest | null> = GlobalValue.globalValue(
  "api/CurrentRequest",
  () => FiberRef.unsafeMake<CurrentRequest | null>(null)
)

/** Changes the response of the current request before it is sent. */
export const changeResponse = (change: ResponseChange): Effect.Effect<void> =>
  Effect.map(FiberRef.get(currentRequest), (request) => request?.change(change))

/** Adds headers to the response of the current request. */
export const addHeaders = (headers: Readonly<Record<string, string>>): Effect.Effect<void> =>
  Effect.map(FiberRef.get(currentRequest), (request) => request?.addHeaders(headers))
