import type { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { WebhookDeliveries } from "@switchboard/services/webhooks/delivery/WebhookDeliveries"
import {
  type TakenWebhook,
  WebhookQueue,
  type WebhookSettlement,
  withoutAnswer
} from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { Clock, DateTime, Effect, Layer } from "effect"
import { WorkerConfig } from "../WorkerConfig.js"
import { workLoop } from "../WorkLoop.js"

/** Requests of this process at a time: they mostly wait, and there may be many slow endpoints. */
const concurrency = 200

/** Of them, those to one endpoint: whoever answers slowly keeps only itself waiting. */
const toOneEndpoint = 10

/** Deliveries taken, and settled, in one transaction at most. */
const batch = 100

/** Tells endpoints what happened, and again and again until they heard. */
export const WebhookWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const queue = yield* WebhookQueue
    const deliveries = yield* WebhookDeliveries

    // Endpoints that are not to be called faster: nothing is taken for them until then.
    const paced = new Map<WebhookEndpointId, number>()

    const pacedNow = Effect.map(Clock.currentTimeMillis, (now) => {
      for (const [endpoint, until] of paced) if (until <= now) paced.delete(endpoint)
      return [...paced.keys()]
    })

    const ended = (taken: TakenWebhook, settlement: WebhookSettlement) => {
      if (settlement.attempt === null && settlement.retryAt !== null) {
        paced.set(taken.target.id, DateTime.toEpochMillis(settlement.retryAt))
      }
      return { taken, settlement }
    }

    yield* workLoop(
      {
        name: "webhooks",
        queue,
        ownerOf: ({ target }: TakenWebhook) => target.id,
        keyOf: ({ deliveryId, organizationId }) => ({ organizationId, id: deliveryId }),
        take: (request) =>
          Effect.flatMap(pacedNow, (slow) => queue.take({ ...request, saturated: [...request.saturated, ...slow] })),
        admission: Effect.succeed(batch),
        attempt: (taken) => Effect.map(deliveries.attempt(taken), (settlement) => ended(taken, settlement)),
        giveUp: (taken) => Effect.map(deliveries.giveUp(taken), (settlement) => ({ taken, settlement })),
        replace: (taken, { settlement }) => Effect.succeed({ taken, settlement: withoutAnswer(settlement) }),
        settle: (done) => queue.settle(config.worker, done)
      },
      { ...config, concurrency, batch, ownerShare: toOneEndpoint }
    )
  })
)
