import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import {
  InboundQueue,
  type ProcessedMail,
  ProcessMail,
  type TakenMail
} from "@switchboard/services/email/receiving/InboundQueue"
import { Pauses } from "@switchboard/services/queues/Pauses"
import { maxLeaseExpiries } from "@switchboard/services/queues/WorkQueue"
import { DateTime, type Duration, Effect, Layer } from "effect"
import { WorkerConfig } from "../../QueueWork.js"
import { workLoop } from "../../WorkLoop.js"

/** Concurrent mails: parsing runs on worker threads, and the rest is waiting for DNS. */
const concurrency = 4

/** Mails taken, or settled, in one transaction. */
const batch = 20

/** Bytes of mail that this process holds: more than the largest mail, less than a batch of them. */
const maxMailBytes = 64 * 1024 * 1024

/** The wait before a mail is processed again after a dependency was unavailable. */
const retryDelay = "5 seconds"

const failed = (parseError: string): ProcessedMail => ({ _tag: "Done", parseError })

/** Processes inbound mail until all its effects are stored. */
export const InboundWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const pauses = yield* Pauses
    const queue = yield* InboundQueue
    const { process, receiveUnparsed } = yield* ProcessMail

    const later = (wait: Duration.DurationInput) =>
      Effect.map(DateTime.now, (now): ProcessedMail => ({ _tag: "Later", at: DateTime.addDuration(now, wait) }))

    const ended = ({ mail }: TakenMail, processing: Effect.Effect<ProcessedMail, ServiceUnavailableError>) =>
      Effect.map(
        Effect.catchTag(processing, "ServiceUnavailableError", () => later(retryDelay)),
        (processed) => ({ mail, processed })
      )

    /** At the limit the mail is delivered unparsed. If that crashes workers too, it is only stored. */
    const giveUp = (taken: TakenMail) =>
      taken.leaseExpiries === maxLeaseExpiries
        ? ended(taken, receiveUnparsed(taken))
        : Effect.as(
            Effect.annotateLogs(
              Effect.logError("The processing of an inbound mail was abandoned"),
              "messageId",
              taken.mail.id
            ),
            {
              mail: taken.mail,
              processed: failed(`Its lease expired ${taken.leaseExpiries} times while it was processed`)
            }
          )

    yield* workLoop(
      {
        name: "inbound mail",
        queue,
        pause: pauses.ofHold,
        ownerOf: ({ mail }: TakenMail) => mail.organizationId,
        keyOf: ({ mail }) => mail,
        take: ({ capacity, ...request }) => queue.take({ ...request, octets: capacity }),
        weight: { of: ({ mail }) => mail.raw.byteLength, max: maxMailBytes },
        admission: Effect.succeed(batch),
        attempt: (taken) => ended(taken, process(taken)),
        giveUp,
        replace: ({ mail }) => Effect.succeed({ mail, processed: failed("The mail can't be read") }),
        settle: (done) => queue.settle(config.worker, done)
      },
      { ...config, concurrency, batch }
    )
  })
)
