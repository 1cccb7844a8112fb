import { type ImageRequest, isAutomatic } from "@switchboard/domain/email/opens/AutomaticFetch"
import { DateTime, Effect, Metric, Option, Queue, Schedule } from "effect"
import { Signatures } from "../../Signatures.js"
import { parseOpenToken } from "./OpenLink.js"
import { type Open, OpenRepo } from "./OpenRepo.js"

/** Opens that wait to be written at most: a campaign's first minutes, in some megabytes. */
const room = 20_000

/** Opens of one transaction. */
const batchSize = 200

/** A short outage of the database loses nothing; a stopping process waits no longer than this. */
const persistently = Schedule.intersect(Schedule.spaced("500 millis"), Schedule.recurs(4))

const droppedTotal = Metric.counter("switchboard_opens_dropped_total", {
  description: "Opens of mail that were not written, since more came than could be, or the database was away",
  incremental: true
})

/**
 * Mail that shows to be read by loading its image. Whoever asks for an image waits for nothing: opens are written in
 * batches, as soon as there are any.
 */
export class Opens extends Effect.Service<Opens>()("services/Opens", {
  scoped: Effect.gen(function* () {
    const repo = yield* OpenRepo
    const signatures = yield* Signatures
    const waiting = yield* Queue.dropping<Open>(room)

    /** Notes that somebody looks at a mail, if the token is ours and it was somebody. */
    const record = Effect.fnUntraced(function* (token: string, request: ImageRequest) {
      const mail = parseOpenToken(signatures, token)
      if (Option.isNone(mail) || isAutomatic(request)) return
      const taken = yield* Queue.offer(waiting, { ...mail.value, at: yield* DateTime.now })
      if (!taken) yield* Metric.increment(droppedTotal)
    })

    const write = (opens: ReadonlyArray<Open>) =>
      repo.record(opens).pipe(
        Effect.retry(persistently),
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
    // Only the wait may be interrupted: what was taken from the queue is written.
    yield* Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(Queue.takeBetween(waiting, 1, batchSize)), (opens) => write([...opens]))
    ).pipe(Effect.forever, Effect.forkScoped)

    return { record } as const
  })
}) {}
