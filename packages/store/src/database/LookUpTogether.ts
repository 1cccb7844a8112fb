import type { SqlError } from "@effect/sql/SqlError"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { connectionUse } from "@switchboard/services/ConnectionUse"
import { Effect, RcMap, Runtime, Scope } from "effect"
import { groupCommit } from "./GroupCommit.js"
import { orUnavailable, retryConflicts } from "./Unavailable.js"

/** Look-ups that share a statement. */
const maxLookUps = 50

/** Rows of reads that share a statement: ten pages of the default size, or two of the maximum. */
const maxRows = 210

/** The time for which an organization's group is kept without a read. */
const idleTimeToLive = "10 seconds"

type Find<Key, Value> = (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<Value>, SqlError>

interface Options<Key> {
  readonly maxBatch?: number
  /** The size of a look-up in the unit of `maxBatch`. The default is 1. */
  readonly sizeOf?: (key: Key) => number
}

/**
 * Lets concurrent look-ups share a statement, since a statement costs more than a row in it. With thousands of
 * organizations most look-ups miss a cache with a short time to live, and this bounds the cost of the misses. `find`
 * returns one value per key, in order.
 */
export const lookUpTogether = <Key, Value>(
  find: Find<Key, Value>,
  { maxBatch = maxLookUps, ...options }: Options<Key> = {}
) =>
  groupCommit<Key, Value, never>(
    (keys) =>
      orUnavailable(retryConflicts(Effect.map(find(keys), (values) => values.map((value) => Effect.succeed(value))))),
    { ...options, maxBatch, resultsFirst: true }
  )

/**
 * The same for reads of many rows, by organization: a statement then takes one of its read slots, and the reads of other
 * organizations don't wait for it. `rowsOf` returns the number of rows that a read finds.
 */
export const readTogether = <Key, Value>(
  find: (organization: OrganizationId) => Find<Key, Value>,
  rowsOf: (key: Key) => number
) =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime()
    const groups = yield* RcMap.make({
      idleTimeToLive,
      // In a fiber without the deadline, the span and the log annotations of the request that creates the group.
      lookup: (organization: OrganizationId) =>
        Effect.map(Effect.scope, (scope) =>
          lookUpTogether(find(organization), { maxBatch: maxRows, sizeOf: rowsOf }).pipe(
            Scope.extend(scope),
            Effect.locally(connectionUse, organization),
            Runtime.runSync(runtime)
          )
        )
    })
    return (organization: OrganizationId, key: Key) =>
      Effect.scoped(Effect.flatMap(RcMap.get(groups, organization), (read) => read(key)))
  })
