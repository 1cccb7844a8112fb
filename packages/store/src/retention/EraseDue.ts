import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Array, DateTime, Duration, Effect } from "effect"
import { inTurn } from "../database/DeletionTurn.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import {
  type DuePage,
  type Item,
  type KindRows,
  type OpenItem,
  storeRechecks,
  takeDueRows,
  takeRechecks
} from "./DueRows.js"
import { type Bounds, bounds } from "./RetentionMarks.js"

/** Erased rows, and items that cannot be erased yet. */
export interface ErasedItems {
  readonly erased: number
  readonly open: ReadonlyArray<OpenItem>
}

/** Data with a retention. */
export interface Expiring extends KindRows {
  /** Erases due items. Runs in a transaction. */
  readonly erase: (
    sql: SqlClient.SqlClient,
    items: ReadonlyArray<Item>,
    round: Bounds & { readonly now: DateTime.Utc; readonly pages: ReadonlyArray<DuePage> }
  ) => Effect.Effect<ErasedItems, SqlError>
  /** Limits the bounds of the retention. */
  readonly limit?: (bounds: Bounds) => Bounds
}

const isSame = (one: Item, other: Item) => one.id === other.id && one.organizationId === other.organizationId

/** The interval between the checks of an item that is still open. */
const recheckInterval = (retention: Duration.Duration) =>
  Duration.clamp(Duration.times(retention, 0.1), { minimum: "1 millis", maximum: "1 hour" })

/**
 * Erases due rows of all organizations, in short transactions, until none is left. Without due rows it reads two
 * indexes. Workers that run it together lock different organizations.
 */
export const eraseDue = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  expiring: Expiring,
  retention: Duration.Duration
) {
  const now = yield* DateTime.now
  const round = (expiring.limit ?? ((all: Bounds) => all))(bounds(now, retention))
  const later = DateTime.addDuration(now, recheckInterval(retention))
  const batch = Effect.gen(function* () {
    const pages = yield* takeDueRows(sql, expiring, round)
    const rechecks = yield* takeRechecks(sql, expiring, now)
    const due = pages.flatMap(({ ids, organizationId }) => ids.map((id): Item => ({ organizationId, id })))
    const items = Array.dedupeWith([...due, ...rechecks], isSame)
    if (pages.length === 0 && items.length === 0) return { erased: 0, isLast: true }
    const { erased, open } = yield* expiring.erase(sql, items, { ...round, now, pages })
    yield* storeRechecks(sql, expiring.kind, rechecks, open, later)
    return { erased, isLast: false }
  }).pipe(sql.withTransaction, retryConflicts, orUnavailable, inTurn)
  const { total } = yield* Effect.iterate(
    { total: 0, isLast: false },
    {
      while: ({ isLast }) => !isLast,
      body: ({ total }) => Effect.map(batch, ({ erased, isLast }) => ({ total: total + erased, isLast }))
    }
  )
  return total
})
