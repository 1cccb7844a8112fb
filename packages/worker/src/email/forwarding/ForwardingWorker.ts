import {
  ForwardingQueue,
  type ForwardOutcome,
  type TakenForwarding
} from "@switchboard/services/email/forwarding/ForwardingQueue"
import { Forwards } from "@switchboard/services/email/forwarding/Forwards"
import { Duration, Effect, Layer } from "effect"
import { regularly } from "../../Regularly.js"
import { WorkerConfig } from "../../WorkerConfig.js"
import { workLoop } from "../../WorkLoop.js"

/** How often it is looked for what is to be tried again, or was lost. */
const recoverEvery = "1 second"

/** Attempts at a time: each holds a whole mail. */
const concurrency = 4

/** Mails taken, and settled, in one transaction at most. */
const batch = 20

const atOnce: ForwardOutcome = { _tag: "Later", wait: Duration.zero }

/** Sends on what is to go on, until it is known what became of it. */
export const ForwardingWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const queue = yield* ForwardingQueue
    const forwards = yield* Forwards

    yield* regularly(queue.recover, recoverEvery, "Recovering mail that goes on")

    yield* workLoop(
      {
        name: "forwarding",
        ownerOf: ({ organizationId }: TakenForwarding) => organizationId,
        idOf: ({ id }) => id,
        take: ({ limit, perOwner, saturated }) =>
          queue.take({ worker: config.worker, lease: config.lease, limit, perOrganization: perOwner, saturated }),
        admission: Effect.succeed(batch),
        attempt: (taken) => Effect.map(forwards.attempt(taken), (outcome) => ({ taken, outcome })),
        handBack: (taken) => Effect.succeed({ taken, outcome: atOnce }),
        settle: (ended) => queue.settle(config.worker, ended),
        renew: (ids) => queue.renew(config.worker, ids, config.lease),
        woken: queue.woken
      },
      { ...config, concurrency, batch }
    )
  })
)
