import * as RateLimiter from "@effect/experimental/RateLimiter"
import type { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { nextWebhookAttemptAt, webhookResult } from "@switchboard/domain/webhooks/WebhookOutcome"
import type { WebhookRateLimit } from "@switchboard/domain/webhooks/WebhookRequests"
import { Cause, Data, DateTime, Duration, Effect, Random } from "effect"
import { SecretBox } from "../../SecretBox.js"
import { type LoggedExchange, loggedExchange, postSigned } from "./LoggedExchange.js"
import type { TakenWebhook, WebhookSettlement } from "./WebhookQueue.js"
import { WebhookResponse, WebhookSettings, WebhookTransport } from "./WebhookTransport.js"

/** The rate limit of each endpoint, over all processes that share the rate limits. */
export class WebhookPace extends Effect.Service<WebhookPace>()("services/WebhookPace", {
  effect: Effect.map(RateLimiter.RateLimiter, (limiter) => {
    /** Takes one call. Returns zero, or the wait until the next one. */
    const wait = (endpoint: WebhookEndpointId, { maxPerSecond }: WebhookRateLimit): Effect.Effect<Duration.Duration> =>
      maxPerSecond === undefined
        ? Effect.succeed(Duration.zero)
        : limiter
            .consume({
              algorithm: "token-bucket",
              key: `webhooks:${endpoint}`,
              limit: maxPerSecond,
              window: Duration.seconds(1),
              tokens: 1
            })
            .pipe(
              Effect.as(Duration.zero),
              // An unavailable store disables the limit. The store itself logs that.
              Effect.catchAll((error) => Effect.succeed(error.reason === "Exceeded" ? error.retryAfter : Duration.zero))
            )
    return { wait } as const
  })
}) {}

/** The outcome of an attempt. */
type WebhookOutcome = Data.TaggedEnum<{
  Attempted: { readonly response: WebhookResponse; readonly exchange: LoggedExchange; readonly at: DateTime.Utc }
  /** The event can't be delivered, now or later. */
  Undeliverable: { readonly error: string; readonly at: DateTime.Utc }
  /** The endpoint's rate limit was reached. */
  Postponed: { readonly until: DateTime.Utc }
}>

const WebhookOutcome = Data.taggedEnum<WebhookOutcome>()

/** The response of an attempt that ended with a defect. */
const defective = WebhookResponse.Unreachable({ error: "An unexpected error of the service", durationMs: 0 })

/** Attempts to deliver leased webhooks. An attempt never fails: it ends in a settlement. */
export class WebhookDeliveries extends Effect.Service<WebhookDeliveries>()("services/WebhookDeliveries", {
  effect: Effect.gen(function* () {
    const transport = yield* WebhookTransport
    const box = yield* SecretBox
    const pace = yield* WebhookPace
    const { retrySchedule } = yield* WebhookSettings

    const judge = Effect.fnUntraced(function* (taken: TakenWebhook) {
      const { body, event, target } = taken
      const at = yield* DateTime.now
      const undeliverable = (error: string) => WebhookOutcome.Undeliverable({ error, at })
      if (body === null) return undeliverable("The message was deleted before this delivery")
      const wait = yield* pace.wait(target.id, target.rateLimit)
      if (Duration.greaterThan(wait, Duration.zero)) {
        return WebhookOutcome.Postponed({ until: DateTime.addDuration(at, wait) })
      }
      const attempted = yield* postSigned(transport, box, target, { id: event.id, body })
      return WebhookOutcome.Attempted({ ...attempted, at })
    })

    const afterAttempt = Effect.fnUntraced(function* (
      taken: TakenWebhook,
      { exchange, response, at }: Data.TaggedEnum.Value<WebhookOutcome, "Attempted">
    ) {
      const now = yield* DateTime.now
      const isResponse = response._tag === "Responded"
      const result = webhookResult(isResponse ? response.status : null)
      const retryAt =
        result === "failed"
          ? nextWebhookAttemptAt(
              retrySchedule,
              taken.retriesUsed,
              isResponse ? response.retryAfterSeconds : null,
              now,
              yield* Random.next
            )
          : null
      const settlement: WebhookSettlement = {
        attempt: { at, ...exchange },
        result,
        status: result === "succeeded" ? "succeeded" : retryAt === null ? "failed" : "pending",
        retriesUsed: taken.retriesUsed + (retryAt === null ? 0 : 1),
        retryAt
      }
      return settlement
    })

    const unattempted = (
      { retriesUsed }: TakenWebhook,
      status: "failed" | "pending",
      retryAt: DateTime.Utc | null,
      attempt: WebhookSettlement["attempt"] = null
    ): WebhookSettlement => ({ attempt, result: null, status, retriesUsed, retryAt })

    /** Makes one attempt. A defect counts as a failed attempt. */
    const attempt = (taken: TakenWebhook): Effect.Effect<WebhookSettlement> =>
      judge(taken).pipe(
        Effect.catchAllDefect((defect) =>
          Effect.logError("A webhook attempt failed unexpectedly", Cause.die(defect)).pipe(
            Effect.annotateLogs("deliveryId", taken.deliveryId),
            Effect.zipRight(DateTime.now),
            Effect.map((at) =>
              WebhookOutcome.Attempted({ response: defective, exchange: loggedExchange(defective), at })
            )
          )
        ),
        Effect.flatMap(
          WebhookOutcome.$match({
            Attempted: (attempted) => afterAttempt(taken, attempted),
            Undeliverable: ({ at, error }) =>
              Effect.succeed(unattempted(taken, "failed", null, { at, durationMs: 0, error })),
            Postponed: ({ until }) => Effect.succeed(unattempted(taken, "pending", until))
          })
        )
      )

    /** Fails a delivery after its attempts crashed workers. */
    const giveUp = (taken: TakenWebhook): Effect.Effect<WebhookSettlement> =>
      Effect.map(DateTime.now, (at) =>
        unattempted(taken, "failed", null, {
          at,
          durationMs: 0,
          error: `Its lease expired ${taken.leaseExpiries} times during an attempt`
        })
      )

    return { attempt, giveUp } as const
  })
}) {}
