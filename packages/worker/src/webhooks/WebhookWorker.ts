import type { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { byLabels } from "@switchboard/services/ByLabels"
import { Pauses } from "@switchboard/services/queues/Pauses"
import { WebhookDeliveries } from "@switchboard/services/webhooks/delivery/WebhookDeliveries"
import {
  type TakenWebhook,
  WebhookQueue,
  type WebhookSettlement,
  withoutResponse
} from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { Clock, DateTime, Effect, Layer, Metric } from "effect"
import { WorkerConfig } from "../QueueWork.js"
import { workLoop } from "../WorkLoop.js"

/** The maximum concurrent requests of this process. They mostly wait, and many endpoints may be slow. */
const concurrency = 200

/** The maximum concurrent requests to one endpoint, so that a slow one delays only its own deliveries. */
const maxPerEndpoint = 20

/** The maximum number of deliveries leased, or settled, in one transaction. */
const batch = 100

const attempts = byLabels(
  Metric.counter("switchboard_webhook_attempts_total", {
    description: "Attempts to deliver an event, by the status of the delivery after them and the class of the response",
    incremental: true
  })
)

/** The class of a status code, such as 2xx; "none" without a response. */
const responseClass = (status: number | undefined) => (status === undefined ? "none" : `${Math.floor(status / 100)}xx`)

const countAttempts = (done: ReadonlyArray<{ readonly settlement: WebhookSettlement }>) =>
  Effect.forEach(
    done,
    ({ settlement: { attempt, status } }) =>
      attempt === null
        ? Effect.void
        : Metric.update(attempts({ status, response: responseClass(attempt.responseStatus) }), 1),
    { discard: true }
  )

/** Sends events to webhook endpoints, with retries. */
export const WebhookWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const pauses = yield* Pauses
    const queue = yield* WebhookQueue
    const deliveries = yield* WebhookDeliveries

    // Endpoints that reached their rate limit, with its end in Unix milliseconds. Their deliveries are not leased.
    const rateLimitedUntil = new Map<WebhookEndpointId, number>()

    const rateLimitedNow = Effect.map(Clock.currentTimeMillis, (now) => {
      for (const [endpoint, until] of rateLimitedUntil) if (until <= now) rateLimitedUntil.delete(endpoint)
      return [...rateLimitedUntil.keys()]
    })

    const ended = (taken: TakenWebhook, settlement: WebhookSettlement) => {
      if (settlement.attempt === null && settlement.retryAt !== null) {
        rateLimitedUntil.set(taken.target.id, DateTime.toEpochMillis(settlement.retryAt))
      }
      return { taken, settlement }
    }

    yield* workLoop(
      {
        name: "webhooks",
        queue,
        pause: pauses.ofWebhooks,
        ownerOf: ({ target }: TakenWebhook) => target.id,
        keyOf: ({ deliveryId, organizationId }) => ({ organizationId, id: deliveryId }),
        take: (request) =>
          Effect.flatMap(rateLimitedNow, (rateLimited) =>
            queue.take({ ...request, skipped: [...request.skipped, ...rateLimited] })
          ),
        admission: Effect.succeed(batch),
        attempt: (taken) => Effect.map(deliveries.attempt(taken), (settlement) => ended(taken, settlement)),
        giveUp: (taken) => Effect.map(deliveries.giveUp(taken), (settlement) => ({ taken, settlement })),
        replace: (taken, { settlement }) => Effect.succeed({ taken, settlement: withoutResponse(settlement) }),
        settle: (done) => Effect.zipRight(queue.settle(config.worker, done), countAttempts(done))
      },
      { ...config, concurrency, batch, ownerShare: maxPerEndpoint }
    )
  })
)
