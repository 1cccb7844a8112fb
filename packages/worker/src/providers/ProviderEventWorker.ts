import {
  ProcessEvents,
  type ProcessedEvent,
  ProviderEventQueue,
  type SettledEvent,
  type TakenEvent
} from "@switchboard/services/providers/ProviderEventQueue"
import { Pauses } from "@switchboard/services/queues/Pauses"
import { DateTime, Effect, Layer } from "effect"
import { WorkerConfig } from "../QueueWork.js"
import { workLoop } from "../WorkLoop.js"

/** Concurrent events: receipts share transactions, and each text has its own. */
const concurrency = 40

/** Events taken, or settled, in one transaction. */
const batch = 100

/** The wait before an event is processed again after the database was unavailable. */
const retryDelay = "5 seconds"

const done: ProcessedEvent = { _tag: "Done" }

/** Processes the events of providers until all their effects are stored. */
export const ProviderEventWorker = Layer.scopedDiscard(
  Effect.gen(function* () {
    const config = yield* WorkerConfig
    const pauses = yield* Pauses
    const queue = yield* ProviderEventQueue
    const { process } = yield* ProcessEvents

    const later = Effect.map(
      DateTime.now,
      (now): ProcessedEvent => ({ _tag: "Later", at: DateTime.addDuration(now, retryDelay) })
    )

    const attempt = (event: TakenEvent) =>
      Effect.map(
        Effect.catchTag(process(event), "ServiceUnavailableError", () => later),
        (processed): SettledEvent => ({ event, processed })
      )

    const giveUp = (event: TakenEvent) =>
      Effect.as(
        Effect.annotateLogs(Effect.logError("The processing of an event of a provider was abandoned"), {
          eventId: event.id,
          event: event.event._tag,
          channel: event.event.channel
        }),
        { event, processed: done }
      )

    yield* workLoop(
      {
        name: "provider event",
        queue,
        pause: pauses.ofHold,
        ownerOf: ({ organizationId }: TakenEvent) => organizationId,
        keyOf: (event) => event,
        take: ({ capacity: _, ...request }) => queue.take(request),
        admission: Effect.succeed(batch),
        attempt,
        giveUp,
        replace: (event) => Effect.succeed({ event, processed: done }),
        settle: (settled: ReadonlyArray<SettledEvent>) => queue.settle(config.worker, settled)
      },
      { ...config, concurrency, batch }
    )
  })
)
