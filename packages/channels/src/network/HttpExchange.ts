import { Data, Effect, Predicate, type Scope } from "effect"
import { type Dispatcher, Pool } from "undici"
import { storableText } from "../StorableText.js"

/** Header values by name in lower case; an array for a repeated header. */
export type ReceivedHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The response. */
export interface HttpResponse {
  readonly status: number
  readonly headers: ReceivedHeaders
  /** The first `maxStoredBytes` of the body. */
  readonly head: Buffer
}

/** The request. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly headers: Record<string, string>
  /** Null for no body. */
  readonly body: string | Buffer | null
  /** The timeout of the connection, if one must be opened, and the complete response. */
  readonly timeoutMs: number
  /** The stored part of the response's body. The connection is closed after it, if it is more than 64 KiB. */
  readonly maxStoredBytes: number
  /** Called when the connection is ready; false withdraws the request. Default: it is sent. */
  readonly isWanted?: () => boolean
}

/** The connection is closed after this many bytes of a body, of which less is stored. */
export const maxReadBytes = 64 * 1024

/** In milliseconds. Servers close idle connections after 5 s or more; a Keep-Alive header may extend it. */
export const poolOptions = {
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 60_000,
  // The caller has one timeout for the complete exchange.
  headersTimeout: 0,
  bodyTimeout: 0
}

/** In milliseconds. */
export const connectTimeout = 10_000

/** Kept connections to an origin, such as `https://api.example.com`, that are closed with the scope. */
export const httpPool = (origin: string): Effect.Effect<Pool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new Pool(origin, { ...poolOptions, connect: { timeout: connectTimeout } })),
    (pool) => Effect.promise(() => pool.destroy())
  )

/** There is no complete response. */
export class NoResponse extends Data.TaggedError("NoResponse")<{
  /** `Lost`: the connection failed, or closed before the response was complete. */
  readonly reason: "Timeout" | "Lost" | "Withdrawn"
  /** Whether the server may have received the request. */
  readonly isWritten: boolean
  /** One sentence, without addresses. */
  readonly message: string
}> {}

const bodyLimitExceeded = new Error("The response body exceeds its limit")
const aborted = new Error("The attempt was aborted")

/**
 * Sends one request and reads the response. Uses callbacks for speed: a body stream and Effect's timeout would each
 * double the cost of the exchange.
 */
export const httpExchange = (
  pool: Pool,
  { isWanted = () => true, maxStoredBytes, timeoutMs, ...request }: HttpRequest
): Effect.Effect<HttpResponse, NoResponse> =>
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

    const finish = (outcome: Effect.Effect<HttpResponse, NoResponse>) => {
      clearTimeout(timer)
      resume(outcome)
    }

    const fail = (reason: NoResponse["reason"], message: string) =>
      finish(new NoResponse({ reason, isWritten: activeController !== null, message }))

    const complete = () => {
      const head = Buffer.concat(chunks).subarray(0, maxStoredBytes)
      finish(Effect.succeed({ status, headers: responseHeaders, head }))
    }

    const timer = setTimeout(() => {
      fail("Timeout", "No complete response in time")
      stop()
    }, timeoutMs)

    pool.dispatch(request, {
      onRequestStart: (controller) => {
        if (isStopped) controller.abort(aborted)
        else if (isWanted()) activeController = controller
        else {
          fail("Withdrawn", "The request was withdrawn")
          controller.abort(aborted)
        }
      },
      onResponseStart: (_, code, headers) => {
        status = code
        responseHeaders = headers
      },
      onResponseData: (controller, chunk) => {
        if (read < maxStoredBytes) chunks.push(chunk)
        read += chunk.length
        if (read < Math.max(maxReadBytes, maxStoredBytes)) return
        complete()
        controller.abort(bodyLimitExceeded)
      },
      onResponseEnd: complete,
      onResponseError: (_, error) => fail("Lost", failureText(error))
    })

    return Effect.sync(stop)
  })

const closed = "The connection was closed before the response was complete"
const connectTimedOut = "The connection timed out"
const headersTooLong = "The response headers are too long"

/** Messages by error code. Original messages are not shown to the endpoint's owner: they contain addresses. */
const messages: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closed,
  ETIMEDOUT: connectTimedOut,
  UND_ERR_CONNECT_TIMEOUT: connectTimedOut,
  EHOSTUNREACH: "The host can't be reached",
  ENETUNREACH: "The host's network can't be reached",
  UND_ERR_HEADERS_OVERFLOW: headersTooLong,
  HPE_HEADER_OVERFLOW: headersTooLong
}

/** Prefixes by error code, for errors that are shown with their original message. */
const prefixes: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)/,
    "The TLS connection is not trusted"
  ],
  [/^(HPE_|HTTPParserError)/, "The response is not HTTP"],
  [/^UND_ERR_INVALID_ARG/, "The request can't be sent"],
  [/^/, "The request failed"]
]

/** The maximum characters of an original message: a certificate can put a text of any length into it. */
const maxFailureLength = 300

/** The first error if several addresses were tried. */
const firstError = (error: Error): Error =>
  error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error

/** The reason for a missing response, as one sentence. */
const failureText = (failure: Error): string => {
  const error = firstError(failure)
  const code = Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : error.name
  const message = messages[code]
  if (message !== undefined) return message
  const prefix = prefixes.find(([codes]) => codes.test(code))?.[1]
  return storableText(`${prefix}: ${[...(error.message || code)].slice(0, maxFailureLength).join("")}`)
}
