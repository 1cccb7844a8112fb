import { Context, Effect } from "effect"

/**
 * One permit for the batches that delete expired data. They run one at a time in a process: several at once would take
 * all processors of a small database from requests.
 */
export class DeletionTurn extends Context.Reference<DeletionTurn>()("store/DeletionTurn", {
  defaultValue: () => Effect.unsafeMakeSemaphore(1)
}) {}

/** Runs a batch of a deletion in its turn. */
export const inTurn = <A, E, R>(batch: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(DeletionTurn, (turn) => turn.withPermits(1)(batch))
