import { retryAfterSeconds } from "@switchboard/domain/webhooks/RetryAfter"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import {
  WebhookAnswer,
  type WebhookPost,
  WebhookTransport
} from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { Data, DateTime, Duration, Effect, Either, Layer, Predicate } from "effect"
import { guardedDialler } from "../network/GuardedDialler.js"
import { storableText } from "../StorableText.js"
import { httpExchange } from "./HttpExchange.js"

const closed = "The connection was closed before the whole answer came"
const late = "No connection was made in time"
const long = "The answer's headers are too long"

/** What the codes of failures mean to the owner of an endpoint, who need not learn the addresses that the texts name. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closed,
  ETIMEDOUT: late,
  UND_ERR_CONNECT_TIMEOUT: late,
  EHOSTUNREACH: "The host can't be reached",
  ENETUNREACH: "The host's network can't be reached",
  UND_ERR_HEADERS_OVERFLOW: long,
  HPE_HEADER_OVERFLOW: long
}

/** Those whose own text helps. */
const openings: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)/,
    "No trusted connection (TLS)"
  ],
  [/^(HPE_|HTTPParserError)/, "The answer is not HTTP"],
  [/^UND_ERR_INVALID_ARG/, "The request can't be sent"],
  [/^/, "The exchange failed"]
]

/** A certificate may say anything at any length. */
const maxFailureLength = 300

/** The first of the failures where several addresses were tried. */
const innermost = (error: Error): Error =>
  error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error

/** Why there is no answer, in a sentence. */
const failureText = (failure: Error): string => {
  const error = innermost(failure)
  const code = Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : error.name
  const meaning = meanings[code]
  if (meaning !== undefined) return meaning
  const opening = openings.find(([codes]) => codes.test(code))?.[1]
  return storableText(`${opening}: ${[...(error.message || code)].slice(0, maxFailureLength).join("")}`)
}

/** The attempt failed, for this reason. */
class Unanswered extends Data.TaggedError("Unanswered")<{ readonly message: string }> {}

/** What an HTTP client must say of itself; `host` would choose another name at the address that was checked. */
const clientsOwn = new Set([
  ...["host", "user-agent", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection"],
  ...["te", "trailer", "upgrade", "expect"]
])

const requestHeaders = (headers: WebhookPost["headers"]): Record<string, string> => {
  const sent: Record<string, string> = { "user-agent": "Switchboard-Webhooks/1.0", "content-type": "application/json" }
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (!clientsOwn.has(lower)) sent[lower] = value
  }
  return sent
}

/** A letter that the limit cuts in two is left out. */
const textOf = (head: Buffer) => storableText(new TextDecoder().decode(head, { stream: true }))

/** Webhooks over HTTP, dialled by ourselves: no proxy of the environment, no redirect, no second look-up. */
export const WebhookHttp: Layer.Layer<WebhookTransport, never, DestinationGuard> = Layer.scoped(
  WebhookTransport,
  Effect.gen(function* () {
    const guard = yield* DestinationGuard
    const dialler = yield* guardedDialler

    const exchanged = Effect.fnUntraced(function* ({ body, headers, method = "POST", timeout, url }: WebhookPost) {
      const [waited, destination] = yield* Effect.timed(guard.checkedDestination(url, timeout))
      const post = {
        path: destination.url.pathname + destination.url.search,
        method,
        headers: requestHeaders(headers),
        body: body === "" ? null : body,
        withinMs: Duration.toMillis(Duration.subtract(timeout, waited))
      }
      return yield* Effect.mapError(httpExchange(dialler.poolTo(destination), post), (failure) => {
        const late = `No whole answer came within ${Duration.format(timeout)}`
        return new Unanswered({ message: failure._tag === "NotInTime" ? late : failureText(failure.cause) })
      })
    })

    const post = Effect.fnUntraced(function* (request: WebhookPost) {
      const [took, reply] = yield* Effect.timed(Effect.either(exchanged(request)))
      const durationMs = Math.round(Duration.toMillis(took))
      if (Either.isLeft(reply)) return WebhookAnswer.Unreachable({ error: reply.left.message, durationMs })
      const { head, retryAfter, status } = reply.right
      return WebhookAnswer.Answered({
        status,
        body: textOf(head),
        retryAfterSeconds: retryAfter === null ? null : retryAfterSeconds(retryAfter, yield* DateTime.now),
        durationMs
      })
    })

    return { post }
  })
)
