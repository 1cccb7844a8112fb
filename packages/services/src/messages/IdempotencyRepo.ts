import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, Duration, type Effect } from "effect"

/** A repeated idempotency key returns the earlier message for this time. */
export const keyRetention = Duration.days(30)

/**
 * The retention of content hashes: `DEDUPE_WINDOW`, at least a day, so that a process with a short window does not
 * delete hashes that another process still needs.
 */
export const contentRetention = (dedupeWindow: Duration.Duration): Duration.Duration =>
  Duration.max(dedupeWindow, Duration.days(1))

/** The idempotency records of sends. `MessageRepo.accept` writes and reads them. */
export class IdempotencyRepo extends Context.Tag("services/IdempotencyRepo")<
  IdempotencyRepo,
  {
    /** Deletes keys and content hashes older than `retention`, in batches. Returns their numbers. */
    readonly deleteExpired: (retention: {
      readonly keys: Duration.Duration
      readonly contents: Duration.Duration
    }) => Effect.Effect<{ readonly keys: number; readonly contents: number }, ServiceUnavailableError>
  }
>() {}
