import { PlayCalls } from "@switchboard/services/voice/calls/PlayCalls"
import { type TakenCall, VoiceCallQueue } from "@switchboard/services/voice/calls/VoiceCallQueue"
import { Effect, Layer } from "effect"
import { WorkerConfig } from "../../WorkerConfig.js"
import { workLoop } from "../../WorkLoop.js"

/** How often it is looked for calls whose time has come: nobody on the line likes to wait. */
const promoteEvery = "150 millis"

/** Steps of calls at a time: some of them wait for somebody else's server. */
const concurrency = 20

/** Calls taken in one transaction at most. */
const batch = 20

/** Makes calls, step by step. */
export const VoiceCallWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const queue = yield* VoiceCallQueue
    const { giveUp, step } = yield* PlayCalls

    yield* workLoop(
      {
        name: "voice calls",
        queue,
        promoteEvery,
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
