import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { InboundQueue, type TakenMail } from "@switchboard/services/email/receiving/InboundQueue"
import { type ProcessedMail, ProcessMail } from "@switchboard/services/email/receiving/ProcessMail"
import { maxTakeovers } from "@switchboard/services/queues/WorkQueue"
import { DateTime, type Duration, Effect, Layer } from "effect"
import { WorkerConfig } from "../../WorkerConfig.js"
import { workLoop } from "../../WorkLoop.js"

/** Mails at a time: most of it is reading, on threads of their own, and waiting for DNS. */
const concurrency = 4

/** Mails taken, and settled, in one transaction at most. */
const batch = 20

/** How much mail this process holds: one of the largest and more, and not a batch of them. */
const maxOctets = 64 * 1024 * 1024

/** How long a mail waits when what it takes to process it can't be reached. */
const patience = "5 seconds"

const failed = (parseError: string): ProcessedMail => ({ _tag: "Done", parseError })

/** Works on mail that came in, until everything that follows from it is stored. */
export const InboundWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const queue = yield* InboundQueue
    const { process, keepUnread } = yield* ProcessMail

    const later = (wait: Duration.DurationInput) =>
      Effect.map(DateTime.now, (now): ProcessedMail => ({ _tag: "Later", at: DateTime.addDuration(now, wait) }))

    const ended = ({ mail }: TakenMail, processing: Effect.Effect<ProcessedMail, ServiceUnavailableError>) =>
      Effect.map(
        Effect.catchTag(processing, "ServiceUnavailableError", () => later(patience)),
        (processed) => ({ mail, processed })
      )

    /** It reaches its recipients as it came. If that ends workers too, it is only kept. */
    const giveUp = (taken: TakenMail) =>
      taken.takeovers === maxTakeovers
        ? ended(taken, keepUnread(taken))
        : Effect.as(Effect.annotateLogs(Effect.logError("A received mail is given up"), "messageId", taken.mail.id), {
            mail: taken.mail,
            processed: failed(`Its lease ended ${taken.takeovers} times while it was processed`)
          })

    yield* workLoop(
      {
        name: "inbound mail",
        queue,
        ownerOf: ({ mail }: TakenMail) => mail.organizationId,
        keyOf: ({ mail }) => mail,
        take: ({ room, ...request }) => queue.take({ ...request, octets: room }),
        weight: { of: ({ mail }) => mail.raw.byteLength, most: maxOctets },
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
