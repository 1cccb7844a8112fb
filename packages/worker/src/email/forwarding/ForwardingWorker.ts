import {
  ForwardingQueue,
  type SettledForwarding,
  type TakenForwarding
} from "@switchboard/services/email/forwarding/ForwardingQueue"
import { Forwards } from "@switchboard/services/email/forwarding/Forwards"
import { Pauses } from "@switchboard/services/queues/Pauses"
import { Effect, Layer } from "effect"
import { WorkerConfig } from "../../QueueWork.js"
import { workLoop } from "../../WorkLoop.js"

/** Concurrent attempts: each holds a complete mail in memory. */
const concurrency = 4

/** Mails taken, or settled, in one transaction. */
const batch = 20

/** Forwards mails. */
export const ForwardingWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const pauses = yield* Pauses
    const queue = yield* ForwardingQueue
    const forwards = yield* Forwards

    const failed = (taken: TakenForwarding, error: string): SettledForwarding => ({
      taken,
      outcome: { _tag: "Failed", error }
    })

    yield* workLoop(
      {
        name: "forwarding",
        queue,
        pause: pauses.ofMail,
        ownerOf: ({ organizationId }: TakenForwarding) => organizationId,
        keyOf: (taken) => taken,
        take: queue.take,
        admission: Effect.succeed(batch),
        attempt: (taken, isHeld) =>
          Effect.map(forwards.attempt(taken, isHeld), (outcome): SettledForwarding => ({ taken, outcome })),
        giveUp: (taken) =>
          Effect.succeed(failed(taken, `Its lease expired ${taken.leaseExpiries} times during an attempt`)),
        replace: (taken) => Effect.succeed(failed(taken, "The reply can't be stored")),
        settle: (ended) => queue.settle(config.worker, ended)
      },
      { ...config, concurrency, batch }
    )
  })
)
