import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { requestClient, type TrackedRequest } from "@switchboard/domain/email/tracking/TrackedRequest"
import { DateTime, Effect, Metric, Option, Queue, Schedule } from "effect"
import { timeOfId } from "../../NewId.js"
import { RetentionSettings } from "../../retention/RetentionSettings.js"
import { Signatures } from "../../SecretBox.js"
import { type Engagement, EngagementRepo } from "./EngagementRepo.js"
import { parseClickToken, parseOpenToken, type TrackedMail } from "./TrackingLinks.js"

/** The maximum number of opens and clicks that wait to be written: minutes of a campaign, in some megabytes of memory. */
const maxWaiting = 20_000

/** The maximum number of opens and clicks of one transaction. */
const batchSize = 200

/** The maximum length of a stored user agent, in characters. */
const maxUserAgentLength = 500

/** Retries for two seconds: a short database outage loses nothing, and a stopping process waits no longer. */
const writeRetry = Schedule.intersect(Schedule.spaced("500 millis"), Schedule.recurs(4))

const droppedTotal = Metric.counter("switchboard_opens_dropped_total", {
  description:
    "Opens of mail and clicks that were not stored because the buffer was full or the database was unavailable",
  incremental: true
})

/**
 * Records opens of mail by requests for the tracking pixel, and clicks by requests for tracked links. Requests don't
 * wait for the database: a fiber writes opens and clicks in batches.
 */
export class Engagements extends Effect.Service<Engagements>()("services/Engagements", {
  scoped: Effect.gen(function* () {
    const repo = yield* EngagementRepo
    const signatures = yield* Signatures
    const { messageBodies } = yield* RetentionSettings
    const waiting = yield* Queue.dropping<Engagement>(maxWaiting)

    const offer = Effect.fnUntraced(function* (engagement: Engagement) {
      const taken = yield* Queue.offer(waiting, engagement)
      if (!taken) yield* Metric.increment(droppedTotal)
    })

    /** Records an open if the token is valid and the request is not automatic. */
    const open = Effect.fnUntraced(function* (token: string, request: TrackedRequest) {
      const mail = parseOpenToken(signatures, token)
      const client = requestClient(request)
      if (Option.isNone(mail) || client === "automatic") return
      yield* offer({ mail: mail.value, request: { at: yield* DateTime.now, client } })
    })

    /** Whether the content of a message, with its clicks, is past its retention. */
    const isErased = ({ messageId }: TrackedMail, now: DateTime.Utc) =>
      Option.exists(messageBodies, (retention) =>
        DateTime.lessThan(DateTime.addDuration(timeOfId(messageId), retention), now)
      )

    /** Records a click, unless the content of its message is past its retention. Returns the link in the mail. */
    const click = Effect.fnUntraced(function* (token: string, request: TrackedRequest) {
      const link = parseClickToken(signatures, token)
      if (Option.isNone(link)) return yield* new ResourceNotFoundError({ resource: "link", id: token })
      const { url, ...mail } = link.value
      const userAgent = request.headers["user-agent"]?.slice(0, maxUserAgentLength)
      const at = yield* DateTime.now
      if (!isErased(mail, at)) yield* offer({ mail, request: { at, client: requestClient(request), url, userAgent } })
      return url
    })

    const write = (engagements: ReadonlyArray<Engagement>) =>
      repo.record(engagements).pipe(
        Effect.retry(writeRetry),
        Effect.catchAllCause((cause) =>
          Effect.zipRight(
            Effect.logError("Opens of mail and clicks were not written", cause),
            Metric.incrementBy(droppedTotal, engagements.length)
          )
        )
      )

    // Added first, so that it runs last when the scope closes.
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Queue.takeAll(waiting), (rest) => (rest.length === 0 ? Effect.void : write([...rest])))
    )
    // Only the wait is interruptible: opens and clicks taken from the queue are always written.
    yield* Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(Queue.takeBetween(waiting, 1, batchSize)), (engagements) => write([...engagements]))
    ).pipe(Effect.forever, Effect.forkScoped)

    return { open, click } as const
  })
}) {}
