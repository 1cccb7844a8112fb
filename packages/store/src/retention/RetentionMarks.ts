import { DateTime, Duration, Order } from "effect"
import { firstIdAt } from "../FirstIdAt.js"

/** Lower than every id. */
export const minId = "00000000-0000-0000-0000-000000000000"

/** A transaction may commit this long after it created its ids; the mark stays behind, so that late rows are read. */
const maxCommitDelay = Duration.minutes(10)

/** The lower of two ids. */
export const earliest: (one: string, other: string) => string = Order.min(Order.string)

/** The highest ids of a round. */
export interface Bounds {
  /** Rows below it are old enough. */
  readonly end: string
  /** The highest id for a mark. */
  readonly markable: string
  /** Rows above it can be inserted with lower ids later. */
  readonly committed: string
}

/** The bounds of a retention at a time. */
export const bounds = (now: DateTime.Utc, retention: Duration.Duration): Bounds => {
  const end = firstIdAt(DateTime.subtractDuration(now, retention))
  const committed = firstIdAt(DateTime.subtractDuration(now, maxCommitDelay))
  return { end, markable: earliest(end, committed), committed }
}
