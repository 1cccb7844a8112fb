import { retryAfterSeconds } from "@switchboard/domain/webhooks/WebhookOutcome"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import {
  type WebhookPost,
  WebhookResponse,
  WebhookTransport
} from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { DateTime, Duration, Effect, Either, Layer } from "effect"
import { guardedDialler } from "../network/GuardedDialler.js"
import { httpExchange, NoResponse, type ReceivedHeaders } from "../network/HttpExchange.js"
import { storableText } from "../StorableText.js"

/** The stored part of a body. */
const maxStoredBytes = 4 * 1024

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
        timeoutMs: Duration.toMillis(Duration.subtract(timeout, checkDuration)),
        maxStoredBytes
      }
      return yield* Effect.mapError(httpExchange(dialler.poolTo(destination), post), (failure) => {
        const message = `No complete response within ${Duration.format(timeout)}`
        return failure.reason === "Timeout" ? new NoResponse({ ...failure, message }) : failure
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
