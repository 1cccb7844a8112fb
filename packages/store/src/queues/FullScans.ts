import { Clock, Effect } from "effect"

const second = 1_000_000_000n

/** The minimum time between two full scans. */
const minInterval = 5n * second
/** The same when a full scan is known to find entries. */
const minHastenedInterval = second
/** The maximum time between two full scans, however expensive they are. */
const maxInterval = 30n * second
/** Full scans take at most this fraction of the time: 1 in 20. */
const maxShare = 20n

/** Decides when a scan covers all entries. Measures the full scans, so that expensive ones are rare. */
export class FullScans {
  private endedAt: bigint | undefined
  private duration = 0n
  private isHastened = false

  /** The first scan is a full one. */
  readonly isDue = Effect.map(Clock.currentTimeNanos, (now) => {
    if (this.endedAt === undefined) return true
    const shortest = this.isHastened ? minHastenedInterval : minInterval
    const cheap = this.duration * maxShare
    const interval = cheap < shortest ? shortest : cheap > maxInterval ? maxInterval : cheap
    return now - this.endedAt >= interval
  })

  /** Runs a full scan. A scan that fails counts too: a timeout is not repeated at once. */
  readonly run = <A, E, R>(scan: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeNanos, (startedAt) => {
      this.isHastened = false
      return Effect.ensuring(
        scan,
        Effect.map(Clock.currentTimeNanos, (now) => {
          this.endedAt = now
          this.duration = now - startedAt
        })
      )
    })

  /** Makes a full scan due now. */
  reset(): void {
    this.endedAt = undefined
  }

  /** Makes the next full scan due sooner. */
  hasten(): void {
    this.isHastened = true
  }
}
