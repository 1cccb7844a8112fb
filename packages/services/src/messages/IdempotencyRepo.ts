import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, Duration, type Effect } from "effect"

/** How long a repeated idempotency key returns the earlier message. */
export const keyRetention = Duration.days(30)

/**
 * How long the content of a send is kept: `DEDUPE_WINDOW`, but a day at least, so that a process with a short window does not
 * delete what another one still needs.
 */
export const contentRetention = (dedupeWindow: Duration.Duration): Duration.Duration =>
  Duration.max(dedupeWindow, Duration.days(1))

/** The idempotency records of sends. `MessageRepo.accept` writes and reads them. */
export class IdempotencyRepo extends Context.Tag("services/IdempotencyRepo")<
  IdempotencyRepo,
  {
    /** Deletes keys and contents older than this, batch by batch; returns how many. */
    readonly deleteExpired: (kept: {
      readonly keys: Duration.Duration
      readonly contents: Duration.Duration
    }) => Effect.Effect<{ readonly keys: number; readonly contents: number }, ServiceUnavailableError>
  }
>() {}
