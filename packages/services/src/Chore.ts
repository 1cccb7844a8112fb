import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Duration, Effect } from "effect"

/**
 * Something that is done again and again by every worker, without a leader: a round takes only what nobody else holds,
 * in batches, and says how much that was.
 */
export interface Chore {
  /** As the log names it: "Forgetting old sends". */
  readonly what: string
  readonly every: Duration.DurationInput
  readonly round: Effect.Effect<number, ServiceUnavailableError>
}
