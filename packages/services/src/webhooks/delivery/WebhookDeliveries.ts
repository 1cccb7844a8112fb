import { nextWebhookAttemptAt, webhookResult } from "@switchboard/domain/webhooks/WebhookOutcome"
import { Cause, Data, DateTime, Duration, Effect, Random } from "effect"
import { SecretBox } from "../../SecretBox.js"
import { signedPost } from "./SignedPost.js"
import { WebhookPace } from "./WebhookPace.js"
import type { TakenWebhook, WebhookSettlement } from "./WebhookQueue.js"
import { WebhookSettings } from "./WebhookSettings.js"
import { WebhookAnswer, WebhookTransport } from "./WebhookTransport.js"

/** How an attempt ended. */
type WebhookOutcome = Data.TaggedEnum<{
  Attempted: { readonly answer: WebhookAnswer; readonly at: DateTime.Utc }
  /** It can't be told, now or later. */
  Undeliverable: { readonly error: string; readonly at: DateTime.Utc }
  /** The endpoint is not to be called faster. */
  Postponed: { readonly until: DateTime.Utc }
}>

const WebhookOutcome = Data.taggedEnum<WebhookOutcome>()

/** Tells endpoints what a worker took. An attempt never fails: it ends in how the delivery goes on. */
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
      if (body === null) return undeliverable("The message was deleted before this was told")
      const wait = yield* pace.wait(target.id, target.rateLimit)
      if (Duration.greaterThan(wait, Duration.zero)) {
        return WebhookOutcome.Postponed({ until: DateTime.addDuration(at, wait) })
      }
      return yield* signedPost(box, target, { id: event.id, body }).pipe(
        Effect.flatMap(transport.post),
        Effect.map((answer) => WebhookOutcome.Attempted({ answer, at })),
        Effect.catchTag("SecretUnreadable", ({ message }) =>
          Effect.succeed(
            WebhookOutcome.Attempted({
              answer: WebhookAnswer.Unreachable({ error: message, durationMs: 0 }),
              at
            })
          )
        )
      )
    })

    const afterAttempt = Effect.fnUntraced(function* (
      taken: TakenWebhook,
      { answer, at }: Data.TaggedEnum.Value<WebhookOutcome, "Attempted">
    ) {
      const now = yield* DateTime.now
      const answered = answer._tag === "Answered"
      const result = webhookResult(answered ? answer.status : null)
      const retryAt =
        result === "failed"
          ? nextWebhookAttemptAt(
              retrySchedule,
              taken.retriesUsed,
              answered ? answer.retryAfterSeconds : null,
              now,
              yield* Random.next
            )
          : null
      const settlement: WebhookSettlement = {
        attempt: {
          at,
          durationMs: answer.durationMs,
          ...(answered ? { responseStatus: answer.status, responseBody: answer.body } : { error: answer.error })
        },
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

    /** One attempt. A defect of ours counts as a failed one. */
    const attempt = (taken: TakenWebhook): Effect.Effect<WebhookSettlement> =>
      judge(taken).pipe(
        Effect.catchAllDefect((defect) =>
          Effect.logError("A webhook attempt broke", Cause.die(defect)).pipe(
            Effect.annotateLogs("deliveryId", taken.deliveryId),
            Effect.zipRight(DateTime.now),
            Effect.map((at) =>
              WebhookOutcome.Attempted({
                answer: WebhookAnswer.Unreachable({ error: "An unexpected error of the service", durationMs: 0 }),
                at
              })
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

    /** Ends a delivery whose attempts have ended too many workers. */
    const giveUp = (taken: TakenWebhook): Effect.Effect<WebhookSettlement> =>
      Effect.map(DateTime.now, (at) =>
        unattempted(taken, "failed", null, {
          at,
          durationMs: 0,
          error: `Its lease ended ${taken.takeovers} times during an attempt`
        })
      )

    return { attempt, giveUp } as const
  })
}) {}
