import { InboundQueue, type TakenMail } from "@switchboard/services/email/receiving/InboundQueue"
import { type ProcessedMail, ProcessMail } from "@switchboard/services/email/receiving/ProcessMail"
import { DateTime, Duration, Effect, Layer } from "effect"
import { regularly } from "../../Regularly.js"
import { WorkerConfig } from "../../WorkerConfig.js"
import { workLoop } from "../../WorkLoop.js"

/** How often it is looked for mail that was to be looked at again. */
const promoteEvery = "500 millis"

/** Mails at a time: most of it is reading, on threads of their own, and waiting for DNS. */
const concurrency = 4

/** Mails taken, and settled, in one transaction at most. */
const batch = 20

/** How much mail this process holds: one of the largest and more, and not a batch of them. */
const mostOctets = 64 * 1024 * 1024

/** A mail that has cost so many workers, the last of them without reading it, is kept as it came and tried no more. */
const mostTakeovers = 10

/** How long a mail waits when what it takes to process it can't be reached. */
const patience = "5 seconds"

const lost: ProcessedMail = {
  _tag: "Done",
  parseError: `The mail could not be processed: ${mostTakeovers} workers were lost`
}

/** Works on mail that came in, until everything that follows from it is stored. */
export const InboundWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const queue = yield* InboundQueue
    const { process } = yield* ProcessMail

    const later = (wait: Duration.DurationInput) =>
      Effect.map(DateTime.now, (now): ProcessedMail => ({ _tag: "Later", at: DateTime.addDuration(now, wait) }))

    const attempt = (taken: TakenMail) =>
      taken.takeovers >= mostTakeovers
        ? Effect.as(
            Effect.logError("A mail that came in is given up").pipe(Effect.annotateLogs({ messageId: taken.mail.id })),
            lost
          )
        : Effect.catchTag(process(taken), "ServiceUnavailableError", () => later(patience))

    yield* regularly(queue.promote, promoteEvery, "Promoting mail that waited")
    yield* regularly(queue.recover, Duration.times(config.lease, 1 / 4), "Recovering lost leases of mail")

    yield* workLoop(
      {
        name: "inbound mail",
        ownerOf: ({ mail }: TakenMail) => mail.organizationId,
        idOf: ({ mail }) => mail.id,
        take: ({ limit, perOwner, room, saturated }) =>
          queue.take({
            worker: config.worker,
            lease: config.lease,
            limit,
            perOrganization: perOwner,
            saturated,
            octets: room
          }),
        weight: { of: ({ mail }) => mail.raw.byteLength, most: mostOctets },
        admission: Effect.succeed(batch),
        attempt: (taken) => Effect.map(attempt(taken), (processed) => ({ mail: taken.mail, processed })),
        handBack: ({ mail }) => Effect.map(later(Duration.zero), (processed) => ({ mail, processed })),
        settle: (done) => queue.settle(config.worker, done),
        renew: (ids) => queue.renew(config.worker, ids, config.lease),
        woken: queue.woken
      },
      { ...config, concurrency, batch }
    )
  })
)
