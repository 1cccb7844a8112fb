import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, Duration, type Effect } from "effect"

/** For how long a repeated idempotency key gives the earlier message. */
export const keysKept = Duration.days(30)

/**
 * For how long the content of a send is kept: past the window it means nothing. A day at least, so that processes whose
 * windows differ do not forget for each other.
 */
export const contentsKept = (dedupeWindow: Duration.Duration): Duration.Duration =>
  Duration.max(dedupeWindow, Duration.days(1))

/** What is remembered of sends, so that a repetition is recognised. `MessageRepo.accept` writes and reads it. */
export class SendMemory extends Context.Tag("services/SendMemory")<
  SendMemory,
  {
    /** Forgets the keys and contents that were kept for longer than this, some a transaction, until all are gone; how many that was. */
    readonly forget: (kept: {
      readonly keys: Duration.Duration
      readonly contents: Duration.Duration
    }) => Effect.Effect<{ readonly keys: number; readonly contents: number }, ServiceUnavailableError>
  }
>() {}
