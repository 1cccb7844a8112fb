import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type DateTime, type Effect } from "effect"

/** What waits for workers, each by itself. */
export const queueNames = ["message", "inbound", "forwarding", "webhook", "voice_call", "voice_notice"] as const
export type QueueName = (typeof queueNames)[number]

/** How much waits in a queue, over all organizations. */
export interface QueueDepth {
  readonly queue: QueueName
  /** For any worker. */
  readonly ready: number
  /** Held by workers. */
  readonly leased: number
  /** For its time. */
  readonly waiting: number
  /** For how long the oldest has waited that somebody should be working on; 0 if there is none. */
  readonly oldestSeconds: number
}

/** What operators ask of all queues. */
export class QueueDepths extends Context.Tag("services/QueueDepths")<
  QueueDepths,
  {
    readonly all: Effect.Effect<ReadonlyArray<QueueDepth>, ServiceUnavailableError>
    /** Mails that came in since then, and could not be read. */
    readonly unreadMails: (since: DateTime.Utc) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
