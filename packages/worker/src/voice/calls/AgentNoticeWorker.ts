import { AgentNoticeQueue, type TakenNotice } from "@switchboard/services/voice/calls/AgentNoticeQueue"
import { AgentNotices } from "@switchboard/services/voice/calls/AgentNotices"
import { Effect, Layer } from "effect"
import { WorkerConfig } from "../../WorkerConfig.js"
import { workLoop } from "../../WorkLoop.js"

/** Requests of this process at a time: they mostly wait. */
const concurrency = 50

/** Of them, those to one agent's webhook: whoever answers slowly keeps only itself waiting. */
const toOneAgent = 5

/** Notices taken, and settled, in one transaction at most. */
const batch = 50

/** Tells the webhooks of agents of their calls, again and again until they heard. */
export const AgentNoticeWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const queue = yield* AgentNoticeQueue
    const { attempt, giveUp } = yield* AgentNotices

    yield* workLoop(
      {
        name: "notices of calls",
        queue,
        ownerOf: ({ agentId }: TakenNotice) => agentId,
        keyOf: (taken) => taken,
        take: queue.take,
        admission: Effect.succeed(batch),
        attempt,
        giveUp,
        replace: giveUp,
        settle: (done) => queue.settle(config.worker, done)
      },
      { ...config, concurrency, batch, ownerShare: toOneAgent }
    )
  })
)
