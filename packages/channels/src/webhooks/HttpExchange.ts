import { Data, Effect } from "effect"
import type { Dispatcher, Pool } from "undici"

/** Header values by name in lower case; an array for a repeated header. */
export type ReceivedHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The response. */
export interface HttpResponse {
  readonly status: number
  readonly headers: ReceivedHeaders
  /** The first 4 KiB of the body. */
  readonly head: Buffer
}

/** The request. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly headers: Record<string, string>
  /** Null for no body. */
  readonly body: string | null
  /** The timeout of the connection, if one must be opened, and the complete response. */
  readonly timeoutMs: number
}

/** The stored part of a body. */
const maxStoredBytes = 4 * 1024
/** The connection is closed after this many bytes of a body. */
const maxReadBytes = 64 * 1024

const bodyLimitExceeded = new Error("The response body exceeds 64 KiB")
const aborted = new Error("The attempt was aborted")

/** The response was not complete within the timeout. */
export class ResponseTimeout extends Data.TaggedError("ResponseTimeout") {}

/** The connection failed, or closed before the response was complete. */
export class ExchangeFailed extends Data.TaggedError("ExchangeFailed")<{ readonly cause: Error }> {}

/**
 * Sends one request and reads the response. Uses callbacks for speed: a body stream and Effect's timeout would each
 * double the cost of the exchange.
 */
export const httpExchange = (
  pool: Pool,
  { timeoutMs, ...request }: HttpRequest
): Effect.Effect<HttpResponse, ResponseTimeout | ExchangeFailed> =>
  Effect.async((resume) => {
    const chunks: Array<Buffer> = []
    let read = 0
    let status = 0
    let responseHeaders: ReceivedHeaders = {}
    let activeController: Dispatcher.DispatchController | null = null
    let isStopped = false

    const stop = () => {
      clearTimeout(timer)
      isStopped = true
      activeController?.abort(aborted)
    }

    const finish = (outcome: Effect.Effect<HttpResponse, ResponseTimeout | ExchangeFailed>) => {
      clearTimeout(timer)
      resume(outcome)
    }

    const complete = () => {
      const head = Buffer.concat(chunks).subarray(0, maxStoredBytes)
      finish(Effect.succeed({ status, headers: responseHeaders, head }))
    }

    const timer = setTimeout(() => {
      finish(new ResponseTimeout())
      stop()
    }, timeoutMs)

    pool.dispatch(request, {
      onRequestStart: (controller) => {
        if (isStopped) controller.abort(aborted)
        else activeController = controller
      },
      onResponseStart: (_, code, headers) => {
        status = code
        responseHeaders = headers
      },
      onResponseData: (controller, chunk) => {
        if (read < maxStoredBytes) chunks.push(chunk)
        read += chunk.length
        if (read < maxReadBytes) return
        complete()
        controller.abort(bodyLimitExceeded)
      },
      onResponseEnd: complete,
      onResponseError: (_, error) => finish(new ExchangeFailed({ cause: error }))
    })

    return Effect.sync(stop)
  })
