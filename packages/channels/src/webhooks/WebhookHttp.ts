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

    const exchanged = Effect.fnUntraced(function* ({ body, headers, url }: WebhookPost) {
      const destination = yield* guard.checkedDestination(url)
      const path = destination.url.pathname + destination.url.search
      return yield* Effect.mapError(
        httpExchange(dialler.poolTo(destination), { path, headers: requestHeaders(headers), body }),
        (error) => new Unanswered({ message: failureText(error) })
      )
    })

    const post = Effect.fnUntraced(function* (request: WebhookPost) {
      const [took, reply] = yield* exchanged(request).pipe(
        Effect.timeoutFail({
          duration: request.timeout,
          onTimeout: () =>
            new Unanswered({ message: `No whole answer came within ${Duration.format(request.timeout)}` })
        }),
        Effect.either,
        Effect.timed
      )
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
