import { Pauses } from "@switchboard/services/queues/Pauses"
import { AgentNoticeQueue, type TakenNotice } from "@switchboard/services/voice/calls/AgentNoticeQueue"
import { AgentNotices } from "@switchboard/services/voice/calls/AgentNotices"
import { Effect, Layer } from "effect"
import { WorkerConfig } from "../../QueueWork.js"
import { workLoop } from "../../WorkLoop.js"

/** Concurrent requests of this process: they mostly wait. */
const concurrency = 50

/** Concurrent requests to the webhook of one agent, so that a slow one delays only its own notices. */
const maxPerAgent = 5

/** Notices taken, or settled, in one transaction. */
const batch = 50

/** Sends call events to the webhooks of agents, with retries. */
export const AgentNoticeWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const pauses = yield* Pauses
    const queue = yield* AgentNoticeQueue
    const { attempt, giveUp } = yield* AgentNotices

    yield* workLoop(
      {
        name: "notices of calls",
        queue,
        pause: pauses.ofWebhooks,
        ownerOf: ({ agentId }: TakenNotice) => agentId,
        keyOf: (taken) => taken,
        take: queue.take,
        admission: Effect.succeed(batch),
        attempt,
        giveUp,
        replace: giveUp,
        settle: (done) => queue.settle(config.worker, done)
      },
      { ...config, concurrency, batch, ownerShare: maxPerAgent }
    )
  })
)
