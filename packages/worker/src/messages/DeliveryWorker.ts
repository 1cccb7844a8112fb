import { mailboxDomain } from "@switchboard/domain/email/EmailAddress"
import { DeliveryOutcome, withoutReplies } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import type { Channel } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { byLabels } from "@switchboard/services/ByLabels"
import { Deliveries } from "@switchboard/services/messages/delivery/Deliveries"
import {
  DeliveryQueues,
  type SendingChannel,
  type TakenMessage
} from "@switchboard/services/messages/delivery/DeliveryQueue"
import { Pauses } from "@switchboard/services/queues/Pauses"
import { DateTime, Effect, Layer, Metric, MetricBoundaries } from "effect"
import { WorkerConfig } from "../QueueWork.js"
import { logFailure, runPeriodically } from "../ScheduledJobs.js"
import { workLoop } from "../WorkLoop.js"

const outcomes = byLabels(
  Metric.counter("switchboard_message_outcomes_total", {
    description: "Attempts by channel, the message's status after them, and the code of its error",
    incremental: true
  })
)

/** In seconds. */
const waitBoundaries = MetricBoundaries.fromIterable([0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300])
const waitSeconds = byLabels(
  Metric.histogram(
    "switchboard_queue_wait_seconds",
    waitBoundaries,
    "Seconds from when a message was due to its first attempt, by channel"
  )
)

/** In seconds. */
const attemptBoundaries = MetricBoundaries.fromIterable([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60])
const attemptSeconds = byLabels(
  Metric.histogram(
    "switchboard_relay_attempt_duration_seconds",
    attemptBoundaries,
    "Seconds of an attempt to hand a message to the relay or provider, by channel"
  )
)

const secondsBetween = (from: DateTime.Utc, to: DateTime.Utc) => DateTime.distance(from, to) / 1000

/** Counts the stored states after attempts over a channel. */
const countOutcomes = (channel: Channel, states: Iterable<MessageState>): void => {
  for (const { errorDetails, status } of states) {
    outcomes({ channel, status, code: errorDetails?.code ?? "" }).unsafeUpdate(1, [])
  }
}

/** Measures an attempt and, if it is the first one, how long the message waited. */
const measureAttempt = (
  { channel, dueSince, state }: TakenMessage,
  startedAt: DateTime.Utc,
  endedAt: DateTime.Utc
): void => {
  const waited = Math.max(0, secondsBetween(dueSince, startedAt))
  if (state.deliveryAttempts <= 1) waitSeconds({ channel }).unsafeUpdate(waited, [])
  attemptSeconds({ channel }).unsafeUpdate(secondsBetween(startedAt, endedAt), [])
}

/** How often expired messages are searched. */
const expireEvery = "1 minute"

/** Bytes of attachments that this process holds: more than two of the largest messages, less than a batch of them. */
const maxAttachmentBytes = 64 * 1024 * 1024

const attachmentBytes = ({ attachments }: TakenMessage) =>
  attachments.reduce((sum, { content }) => sum + content.byteLength, 0)

/** Each connection has a mail in progress, and the next one, whose envelope is sent with the end of the first. */
const mailsPerConnection = 2

/** Delivers the due messages of a channel, and fails expired ones. */
const deliver = (channel: SendingChannel) =>
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const pauses = yield* Pauses
    const queue = (yield* DeliveryQueues)[channel]
    const pause = { email: pauses.ofMail, sms: pauses.ofTexts, whatsapp: pauses.ofWhatsApp }[channel]
    const deliveries = yield* Deliveries

    const ended = (message: TakenMessage, outcome: DeliveryOutcome) =>
      Effect.map(DateTime.now, (at) => ({ message, outcome, at }))

    const settle = (done: ReadonlyArray<Effect.Effect.Success<ReturnType<typeof ended>>>) =>
      Effect.suspend(() => {
        const states = new Map<string, MessageState>()
        const settled = done.map(({ at, message, outcome }) => ({
          message,
          decide: (before: MessageState) => {
            const settlement = deliveries.settle(channel, outcome, at)(before)
            if (settlement.state !== null) states.set(message.messageId, settlement.state)
            return settlement
          }
        }))
        return Effect.map(queue.settle(config.worker, settled), () => countOutcomes(channel, states.values()))
      })

    /** Stores what the attempt of a message has reached. A failure is only logged: the outcome includes it. */
    const storeProgress = (message: TakenMessage) => (outcome: DeliveryOutcome) =>
      Effect.flatMap(DateTime.now, (at) =>
        queue.settle(config.worker, [{ message, decide: deliveries.settle(channel, outcome, at) }])
      ).pipe(Effect.tapErrorCause(logFailure(`${channel}: storing results`)), Effect.ignore)

    const admission: Effect.Effect<number> = Effect.flatMap(deliveries.admission(channel), (admitted) => {
      if (admitted._tag === "All") return Effect.succeed(config.batch)
      if (admitted._tag === "Probe") return Effect.succeed(1)
      const wait = Effect.flatMap(DateTime.now, (now) => Effect.sleep(DateTime.distance(now, admitted.until)))
      return Effect.zipRight(
        wait,
        Effect.suspend(() => admission)
      )
    })

    // Paused messages do not expire.
    const expire = Effect.gen(function* () {
      const skipped = yield* pause.pausedOwners
      const pausedDomains = yield* pause.pausedDomains
      const overdue = yield* queue.take({
        worker: config.worker,
        lease: config.lease,
        limit: config.batch,
        perOwner: config.batch,
        skipped,
        except: [],
        attachmentBytes: 0,
        expiredOnly: true,
        pausedDomains
      })
      yield* Effect.flatMap(
        Effect.forEach(overdue, (message) => ended(message, DeliveryOutcome.Expired())),
        settle
      )
      return overdue.length
    }).pipe(Effect.repeat({ while: (count) => count === config.batch }))

    yield* runPeriodically(expire, expireEvery, `Expiring messages of ${channel}`)

    yield* workLoop(
      {
        name: channel === "email" ? "delivery" : channel,
        queue,
        pause,
        ownerOf: (message: TakenMessage) => message.organizationId,
        keyOf: ({ organizationId, queueId }) => ({ organizationId, id: queueId }),
        domainOf: (message: TakenMessage) =>
          message.channel === "email" ? mailboxDomain(message.content.from) : undefined,
        take: ({ capacity, ...request }) =>
          Effect.flatMap(pause.pausedDomains, (pausedDomains) =>
            queue.take({
              ...request,
              attachmentBytes: capacity > 0 ? capacity : null,
              expiredOnly: false,
              pausedDomains
            })
          ),
        weight: { of: attachmentBytes, max: maxAttachmentBytes, hasWeightless: true },
        admission,
        attempt: Effect.fnUntraced(function* (message, isHeld) {
          const startedAt = yield* DateTime.now
          const outcome = yield* deliveries.attempt(message, { isHeld, storeProgress: storeProgress(message) })
          const at = yield* DateTime.now
          measureAttempt(message, startedAt, at)
          return { message, outcome, at }
        }),
        storeProgress: (messages) =>
          queue.settle(
            config.worker,
            messages.map((message) => ({ message, decide: (state) => ({ state, retryAt: "held" }) }))
          ),
        giveUp: (message) => ended(message, DeliveryOutcome.Poisoned({ leaseExpiries: message.leaseExpiries })),
        releaseUnbegun: (message) => ended(message, DeliveryOutcome.Released()),
        replace: (message, { outcome }) => ended(message, withoutReplies(outcome)),
        settle
      },
      { ...config, concurrency: config.concurrency * mailsPerConnection }
    )
  })

/** Delivers the due messages of all channels. */
export const DeliveryWorker = Layer.scopedDiscard(
  Effect.forEach(["email", "sms", "whatsapp"] as const, deliver, { discard: true })
)
