import { nextWebhookAttemptAt, webhookResult } from "@switchboard/domain/webhooks/WebhookOutcome"
import { DateTime, Effect, Random } from "effect"
import { encodeEvent } from "../../events/EncodeEvent.js"
import { SecretBox } from "../../SecretBox.js"
import { signedPost } from "../../webhooks/delivery/SignedPost.js"
import { WebhookSettings } from "../../webhooks/delivery/WebhookSettings.js"
import { WebhookAnswer, WebhookTransport } from "../../webhooks/delivery/WebhookTransport.js"
import type { NoticeSettlement, TakenNotice } from "./AgentNoticeQueue.js"

/** Tells the webhooks of agents of their calls: signed, and again by the schedule of webhooks until they heard. */
export class AgentNotices extends Effect.Service<AgentNotices>()("services/AgentNotices", {
  effect: Effect.gen(function* () {
    const transport = yield* WebhookTransport
    const box = yield* SecretBox
    const { retrySchedule } = yield* WebhookSettings

    const givenUp = (taken: TakenNotice, why: string) =>
      Effect.logWarning(`The webhook of a voice agent is not told any more: ${why}`).pipe(
        Effect.annotateLogs({ agentId: taken.agentId, eventId: taken.event.id }),
        Effect.as<NoticeSettlement>({ taken, retriesUsed: taken.retriesUsed, retryAt: null })
      )

    const afterAnswer = Effect.fnUntraced(function* (taken: TakenNotice, answer: WebhookAnswer) {
      const isAnswered = answer._tag === "Answered"
      const result = webhookResult(isAnswered ? answer.status : null)
      const { retriesUsed } = taken
      if (result === "succeeded") return { taken, retriesUsed, retryAt: null }
      const why = isAnswered ? `it answers ${answer.status}` : answer.error
      if (result === "gone") return yield* givenUp(taken, why)
      const [now, chance] = yield* Effect.all([DateTime.now, Random.next])
      const asked = isAnswered ? answer.retryAfterSeconds : null
      const retryAt = nextWebhookAttemptAt(retrySchedule, retriesUsed, asked, now, chance)
      return retryAt === null ? yield* givenUp(taken, why) : { taken, retriesUsed: retriesUsed + 1, retryAt }
    })

    /** One attempt. What goes wrong is how it ended. */
    const attempt = (taken: TakenNotice): Effect.Effect<NoticeSettlement> => {
      const encoded = encodeEvent(taken.event, null)
      if (encoded === null) return givenUp(taken, "its event can't be encoded")
      return signedPost(box, taken.target, { id: encoded.id, body: JSON.stringify(encoded) }).pipe(
        Effect.flatMap(transport.post),
        Effect.catchTag("SecretUnreadable", ({ message }) =>
          Effect.succeed(WebhookAnswer.Unreachable({ error: message, durationMs: 0 }))
        ),
        Effect.flatMap((answer) => afterAnswer(taken, answer))
      )
    }

    const giveUp = (taken: TakenNotice) => givenUp(taken, "its attempts ended without a result")

    return { attempt, giveUp } as const
  })
}) {}
