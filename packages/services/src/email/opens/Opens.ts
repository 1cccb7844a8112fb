import { type ImageRequest, isAutomatic } from "@switchboard/domain/email/opens/Opened"
import { DateTime, Effect, Metric, Option, Queue, Schedule } from "effect"
import { Signatures } from "../../SecretBox.js"
import { parseOpenToken } from "./OpenLink.js"
import { type Open, OpenRepo } from "./OpenRepo.js"

/** The maximum number of opens that wait to be written: minutes of a campaign, in some megabytes of memory. */
const maxWaitingOpens = 20_000

/** The maximum number of opens of one transaction. */
const batchSize = 200

/** Retries for two seconds: a short database outage loses no opens, and a stopping process waits no longer. */
const writeRetry = Schedule.intersect(Schedule.spaced("500 millis"), Schedule.recurs(4))

const droppedTotal = Metric.counter("switchboard_opens_dropped_total", {
  description: "Opens of mail that were not stored because the buffer was full or the database was unavailable",
  incremental: true
})

/**
 * Records opens of mail by requests for the tracking pixel. Requests don't wait for the database: a fiber writes opens
 * in batches.
 */
export class Opens extends Effect.Service<Opens>()("services/Opens", {
  scoped: Effect.gen(function* () {
    const repo = yield* OpenRepo
    const signatures = yield* Signatures
    const waiting = yield* Queue.dropping<Open>(maxWaitingOpens)

    /** Records an open if the token is valid and the request is not automatic. */
    const record = Effect.fnUntraced(function* (token: string, request: ImageRequest) {
      const mail = parseOpenToken(signatures, token)
      if (Option.isNone(mail) || isAutomatic(request)) return
      const taken = yield* Queue.offer(waiting, { ...mail.value, at: yield* DateTime.now })
      if (!taken) yield* Metric.increment(droppedTotal)
    })

    const write = (opens: ReadonlyArray<Open>) =>
      repo.record(opens).pipe(
        Effect.retry(writeRetry),
        Effect.catchAllCause((cause) =>
          Effect.zipRight(
            Effect.logError("Opens of mail were not written", cause),
            Metric.incrementBy(droppedTotal, opens.length)
          )
        )
      )

    // Added first, so that it runs last when the scope closes.
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Queue.takeAll(waiting), (rest) => (rest.length === 0 ? Effect.void : write([...rest])))
    )
    // Only the wait is interruptible: opens taken from the queue are always written.
    yield* Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(Queue.takeBetween(waiting, 1, batchSize)), (opens) => write([...opens]))
    ).pipe(Effect.forever, Effect.forkScoped)

    return { record } as const
  })
}) {}
