import { nextWebhookAttemptAt, webhookResult } from "@switchboard/domain/webhooks/WebhookOutcome"
import { DateTime, Effect, Random } from "effect"
import { encodeEvent } from "../../events/StoredEvent.js"
import { SecretBox } from "../../SecretBox.js"
import { postSigned } from "../../webhooks/delivery/LoggedExchange.js"
import { type WebhookResponse, WebhookSettings, WebhookTransport } from "../../webhooks/delivery/WebhookTransport.js"
import type { NoticeSettlement, TakenNotice } from "./AgentNoticeQueue.js"

/** Posts call events to the webhooks of agents: signed, and retried by the schedule of webhooks. */
export class AgentNotices extends Effect.Service<AgentNotices>()("services/AgentNotices", {
  effect: Effect.gen(function* () {
    const transport = yield* WebhookTransport
    const box = yield* SecretBox
    const { retrySchedule } = yield* WebhookSettings

    const abandon = (taken: TakenNotice, reason: string) =>
      Effect.logWarning(`The event for a voice agent's webhook was abandoned: ${reason}`).pipe(
        Effect.annotateLogs({ agentId: taken.agentId, eventId: taken.event.id }),
        Effect.as<NoticeSettlement>({ taken, retriesUsed: taken.retriesUsed, retryAt: null })
      )

    const afterResponse = Effect.fnUntraced(function* (taken: TakenNotice, response: WebhookResponse) {
      const isResponse = response._tag === "Responded"
      const result = webhookResult(isResponse ? response.status : null)
      const { retriesUsed } = taken
      if (result === "succeeded") return { taken, retriesUsed, retryAt: null }
      const reason = isResponse ? `it responded with ${response.status}` : response.error
      if (result === "gone") return yield* abandon(taken, reason)
      const [now, chance] = yield* Effect.all([DateTime.now, Random.next])
      const retryAfter = isResponse ? response.retryAfterSeconds : null
      const retryAt = nextWebhookAttemptAt(retrySchedule, retriesUsed, retryAfter, now, chance)
      return retryAt === null ? yield* abandon(taken, reason) : { taken, retriesUsed: retriesUsed + 1, retryAt }
    })

    /** Attempts a delivery. Never fails: an error is an outcome. */
    const attempt = (taken: TakenNotice): Effect.Effect<NoticeSettlement> => {
      const encoded = encodeEvent(taken.event, null)
      if (encoded === null) return abandon(taken, "its event can't be encoded")
      return Effect.flatMap(
        postSigned(transport, box, taken.target, { id: encoded.id, body: JSON.stringify(encoded) }),
        ({ response }) => afterResponse(taken, response)
      )
    }

    const giveUp = (taken: TakenNotice) => abandon(taken, "its attempts ended without a result")

    return { attempt, giveUp } as const
  })
}) {}
