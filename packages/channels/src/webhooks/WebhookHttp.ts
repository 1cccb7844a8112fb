import { retryAfterSeconds } from "@switchboard/domain/webhooks/WebhookOutcome"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import {
  type WebhookPost,
  WebhookResponse,
  WebhookTransport
} from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { Data, DateTime, Duration, Effect, Either, Layer, Predicate } from "effect"
import type { Dispatcher, Pool } from "undici"
import { guardedDialler } from "../network/GuardedDialler.js"
import { storableText } from "../StorableText.js"

/** Header values by name in lower case; an array for a repeated header. */
type ReceivedHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The response. */
interface HttpResponse {
  readonly status: number
  readonly headers: ReceivedHeaders
  /** The first 4 KiB of the body. */
  readonly head: Buffer
}

/** The request. */
interface HttpRequest {
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
class ResponseTimeout extends Data.TaggedError("ResponseTimeout") {}

/** The connection failed, or closed before the response was complete. */
class ExchangeFailed extends Data.TaggedError("ExchangeFailed")<{ readonly cause: Error }> {}

/**
 * Sends one request and reads the response. Uses callbacks for speed: a body stream and Effect's timeout would each
 * double the cost of the exchange.
 */
const httpExchange = (
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

const closed = "The connection was closed before the response was complete"
const connectTimeout = "The connection timed out"
const headersTooLong = "The response headers are too long"

/** Messages by error code. Original messages are not shown to the endpoint's owner: they contain addresses. */
const messages: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closed,
  ETIMEDOUT: connectTimeout,
  UND_ERR_CONNECT_TIMEOUT: connectTimeout,
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

/** The attempt failed; the message has the reason. */
class NoResponse extends Data.TaggedError("NoResponse")<{ readonly message: string }> {}

/** Headers that only the HTTP client may set. A custom `host` would select another virtual host at the checked address. */
const reservedHeaders = new Set([
  ...["host", "user-agent", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection"],
  ...["te", "trailer", "upgrade", "expect"]
])

const requestHeaders = ({ headers, userAgent = "Switchboard-Webhooks/1.0" }: WebhookPost): Record<string, string> => {
  const sent: Record<string, string> = { "user-agent": userAgent, "content-type": "application/json" }
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (!reservedHeaders.has(lower)) sent[lower] = value
  }
  return sent
}

/** Decodes UTF-8; a character that the limit splits is dropped. */
const textOf = (head: Buffer) => storableText(new TextDecoder().decode(head, { stream: true }))

/** The values of a repeated header are joined (RFC 9110 section 5.3). */
const textsOf = (headers: ReceivedHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = []]) => [storableText(name), storableText([value].flat().join(", "))])
  )

/** Sends webhooks over HTTP without proxies, redirects or a second DNS lookup. */
export const WebhookHttp: Layer.Layer<WebhookTransport, never, DestinationGuard> = Layer.scoped(
  WebhookTransport,
  Effect.gen(function* () {
    const guard = yield* DestinationGuard
    const dialler = yield* guardedDialler

    const exchange = Effect.fnUntraced(function* (request: WebhookPost) {
      const { body, method = "POST", timeout, url } = request
      const [checkDuration, destination] = yield* Effect.timed(guard.checkedDestination(url, timeout))
      const post = {
        path: destination.url.pathname + destination.url.search,
        method,
        headers: requestHeaders(request),
        body: body === "" ? null : body,
        timeoutMs: Duration.toMillis(Duration.subtract(timeout, checkDuration))
      }
      return yield* Effect.mapError(httpExchange(dialler.poolTo(destination), post), (failure) => {
        const timedOut = `No complete response within ${Duration.format(timeout)}`
        return new NoResponse({ message: failure._tag === "ResponseTimeout" ? timedOut : failureText(failure.cause) })
      })
    })

    const post = Effect.fnUntraced(function* (request: WebhookPost) {
      const [elapsed, reply] = yield* Effect.timed(Effect.either(exchange(request)))
      const durationMs = Math.round(Duration.toMillis(elapsed))
      if (Either.isLeft(reply)) return WebhookResponse.Unreachable({ error: reply.left.message, durationMs })
      const { head, headers, status } = reply.right
      const [retryAfter] = [headers["retry-after"]].flat()
      return WebhookResponse.Responded({
        status,
        headers: textsOf(headers),
        body: textOf(head),
        retryAfterSeconds: retryAfter === undefined ? null : retryAfterSeconds(retryAfter, yield* DateTime.now),
        durationMs
      })
    })

    return { post }
  })
)
