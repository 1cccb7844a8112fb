import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type DateTime, type Effect } from "effect"

/** The names of the queues. */
export const queueNames = ["message", "inbound", "forwarding", "webhook", "voice_call", "voice_notice"] as const
export type QueueName = (typeof queueNames)[number]

/** The number of entries in a queue, over all organizations: exact while they are few, an estimate of many. */
export interface QueueDepth {
  readonly queue: QueueName
  /** Entries that a worker may lease. */
  readonly ready: number
  /** Entries leased by workers. */
  readonly leased: number
  /** Entries that are due later. */
  readonly waiting: number
  /** The age of the oldest due entry in seconds; 0 if there is none. Of many ready entries, the oldest of a sample. */
  readonly oldestSeconds: number
}

/** Queue statistics for operators. */
export class QueueDepths extends Context.Tag("services/QueueDepths")<
  QueueDepths,
  {
    /** The depth of every queue. */
    readonly all: Effect.Effect<ReadonlyArray<QueueDepth>, ServiceUnavailableError>
    /** The number of received mails since `since` that could not be parsed. */
    readonly unparsedMails: (since: DateTime.Utc) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
