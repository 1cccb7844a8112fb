import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Duration, Effect } from "effect"

/**
 * A job that every worker runs at intervals, without a leader. A round works in batches, skips rows that another
 * process has locked, and returns the number of rows that it processed.
 */
export interface ScheduledJob {
  /** The job's name in logs, for example "Deleting expired sends". */
  readonly what: string
  readonly every: Duration.DurationInput
  readonly round: Effect.Effect<number, ServiceUnavailableError>
}
