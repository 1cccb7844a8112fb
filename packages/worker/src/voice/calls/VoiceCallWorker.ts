import { Pauses } from "@switchboard/services/queues/Pauses"
import { PlayCalls } from "@switchboard/services/voice/calls/PlayCalls"
import { type TakenCall, VoiceCallQueue } from "@switchboard/services/voice/calls/VoiceCallQueue"
import { Effect, Layer } from "effect"
import { WorkerConfig } from "../../QueueWork.js"
import { workLoop } from "../../WorkLoop.js"

/** Concurrent steps of calls: some wait for an external server. */
const concurrency = 20

/** Calls taken in one transaction. */
const batch = 20

/** Runs voice calls, one step at a time. */
export const VoiceCallWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const pauses = yield* Pauses
    const queue = yield* VoiceCallQueue
    const { giveUp, step } = yield* PlayCalls

    yield* workLoop(
      {
        name: "voice calls",
        queue,
        pause: pauses.ofHold,
        ownerOf: ({ call }: TakenCall) => call.organizationId,
        keyOf: ({ call }) => call,
        take: queue.take,
        admission: Effect.succeed(batch),
        attempt: step,
        giveUp,
        replace: giveUp,
        settle: (done) => queue.settle(config.worker, done)
      },
      { ...config, concurrency, batch }
    )
  })
)
