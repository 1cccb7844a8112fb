import { DeliveryOutcome, withoutReplies } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { Deliveries } from "@switchboard/services/messages/delivery/Deliveries"
import { DeliveryQueue, type TakenMessage } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { DateTime, Effect, Layer } from "effect"
import { regularly } from "../Regularly.js"
import { WorkerConfig } from "../WorkerConfig.js"
import { workLoop } from "../WorkLoop.js"

/** How often it is looked for messages that have waited longer than a message may. */
const expireEvery = "1 minute"

/** How much of attachments this process holds: two of the largest messages and more, and not a batch of them. */
const maxAttachmentBytes = 64 * 1024 * 1024

const attachmentBytes = ({ attachments }: TakenMessage) =>
  attachments.reduce((sum, { content }) => sum + content.byteLength, 0)

/** Delivers what is due, keeps the queue moving, and ends what can't be delivered any more. */
export const DeliveryWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const queue = yield* DeliveryQueue
    const deliveries = yield* Deliveries

    const ended = (message: TakenMessage, outcome: DeliveryOutcome) =>
      Effect.map(DateTime.now, (at) => ({ message, outcome, at }))

    const settle = (done: ReadonlyArray<Effect.Effect.Success<ReturnType<typeof ended>>>) =>
      queue.settle(
        config.worker,
        done.map(({ at, message, outcome }) => ({ message, decide: deliveries.settle(outcome, at) }))
      )

    const admission: Effect.Effect<number> = Effect.flatMap(deliveries.admission, (admitted) => {
      if (admitted._tag === "All") return Effect.succeed(config.batch)
      if (admitted._tag === "Probe") return Effect.succeed(1)
      const wait = Effect.flatMap(DateTime.now, (now) => Effect.sleep(DateTime.distance(now, admitted.until)))
      return Effect.zipRight(
        wait,
        Effect.suspend(() => admission)
      )
    })

    const expire = Effect.gen(function* () {
      const overdue = yield* queue.take({
        worker: config.worker,
        lease: config.lease,
        limit: config.batch,
        perOwner: config.batch,
        saturated: [],
        except: [],
        attachmentBytes: 0,
        expiredOnly: true
      })
      yield* Effect.flatMap(
        Effect.forEach(overdue, (message) => ended(message, DeliveryOutcome.Expired())),
        settle
      )
      return overdue.length
    }).pipe(Effect.repeat({ while: (count) => count === config.batch }))

    yield* regularly(expire, expireEvery, "Ending what is too old")

    yield* workLoop(
      {
        name: "delivery",
        queue,
        ownerOf: (message: TakenMessage) => message.organizationId,
        keyOf: ({ organizationId, queueId }) => ({ organizationId, id: queueId }),
        take: ({ room, ...request }) =>
          queue.take({ ...request, attachmentBytes: room > 0 ? room : null, expiredOnly: false }),
        weight: { of: attachmentBytes, most: maxAttachmentBytes, someWeighNothing: true },
        admission,
        attempt: (message) => Effect.flatMap(deliveries.attempt(message), (outcome) => ended(message, outcome)),
        giveUp: (message) => ended(message, DeliveryOutcome.Poisoned({ takeovers: message.takeovers })),
        handBack: (message) => ended(message, DeliveryOutcome.HandedBack()),
        replace: (message, { outcome }) => ended(message, withoutReplies(outcome)),
        settle
      },
      config
    )
  })
)
