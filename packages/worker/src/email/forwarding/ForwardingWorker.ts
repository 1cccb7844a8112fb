import {
  type EndedForwarding,
  ForwardingQueue,
  type TakenForwarding
} from "@switchboard/services/email/forwarding/ForwardingQueue"
import { Forwards } from "@switchboard/services/email/forwarding/Forwards"
import { Effect, Layer } from "effect"
import { WorkerConfig } from "../../WorkerConfig.js"
import { workLoop } from "../../WorkLoop.js"

/** Attempts at a time: each holds a whole mail. */
const concurrency = 4

/** Mails taken, and settled, in one transaction at most. */
const batch = 20

/** Sends on what is to go on, until it is known what became of it. */
export const ForwardingWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const queue = yield* ForwardingQueue
    const forwards = yield* Forwards

    const failed = (taken: TakenForwarding, error: string): EndedForwarding => ({
      taken,
      outcome: { _tag: "Failed", error }
    })

    yield* workLoop(
      {
        name: "forwarding",
        queue,
        ownerOf: ({ organizationId }: TakenForwarding) => organizationId,
        keyOf: (taken) => taken,
        take: queue.take,
        admission: Effect.succeed(batch),
        attempt: (taken) => Effect.map(forwards.attempt(taken), (outcome): EndedForwarding => ({ taken, outcome })),
        giveUp: (taken) => Effect.succeed(failed(taken, `Its lease ended ${taken.takeovers} times during an attempt`)),
        replace: (taken) => Effect.succeed(failed(taken, "The reply can't be stored")),
        settle: (ended) => queue.settle(config.worker, ended)
      },
      { ...config, concurrency, batch }
    )
  })
)
