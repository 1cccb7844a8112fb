import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import { groupCommit } from "./GroupCommit.js"
import { orUnavailable } from "./Unavailable.js"

/** Look-ups that share a statement. */
const maxLookUps = 50

/**
 * Lets concurrent look-ups share a statement, since a statement costs more than a row in it. With thousands of
 * organizations most look-ups miss a cache with a short time to live, and this bounds the cost of the misses. `find`
 * returns one value per key, in order.
 */
export const lookUpTogether = <Key, Value>(
  find: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<Value>, SqlError>
) =>
  groupCommit<Key, Value, never>(
    (keys) => orUnavailable(Effect.map(find(keys), (values) => values.map((value) => Effect.succeed(value)))),
    { maxBatch: maxLookUps, resultsFirst: true }
  )
