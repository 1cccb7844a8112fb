import { retryAfterSeconds } from "@switchboard/domain/webhooks/RetryAfter"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { WebhookAnswer, type WebhookPost, WebhookTransport } from "@switchboard/services/webhooks/WebhookTransport"
import { Data, DateTime, Duration, Effect, Either, Layer } from "effect"
import { guardedDialler } from "../network/GuardedDialler.js"
import { storableText } from "../StorableText.js"
import { failureText } from "./FailureText.js"
import { httpExchange } from "./HttpExchange.js"

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
