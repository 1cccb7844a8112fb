import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Duration, Effect } from "effect"

/**
 * A job that every worker runs at intervals, without a leader: a round takes only what no other process holds, in batches,
 * and returns how much that was.
 */
export interface ScheduledJob {
  /** As the log names it: "Deleting expired sends". */
  readonly what: string
  readonly every: Duration.DurationInput
  readonly round: Effect.Effect<number, ServiceUnavailableError>
}
