import { Clock, Duration, Effect } from "effect"

/** A sleeping fiber. */
interface Sleep {
  readonly at: number
  readonly wake: () => void
}

/**
 * The clock of one process. `now` is the simulated time, in milliseconds since 1970. The wall-clock time advances by a
 * millisecond at each reading, so that ids with a timestamp keep their order, and by clock steps. Neither affects sleeps.
 */
export class SimulatedClock implements Clock.Clock {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  readonly currentTimeMillis = Effect.sync(() => this.unsafeCurrentTimeMillis())
  readonly currentTimeNanos = Effect.sync(() => this.unsafeCurrentTimeNanos())
  private readonly sleeps = new Set<Sleep>()
  private ahead = 0

  constructor(private readonly now: () => number) {}

  unsafeCurrentTimeMillis(): number {
    return this.now() + this.ahead++
  }

  /** Monotonic: clock steps do not change it. */
  unsafeCurrentTimeNanos(): bigint {
    return BigInt(this.now()) * 1_000_000n
  }

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return Effect.async((resume) => {
      const sleep: Sleep = {
        at: this.now() + Math.ceil(Duration.toMillis(duration)),
        wake: () => resume(Effect.void)
      }
      this.sleeps.add(sleep)
      return Effect.sync(() => this.sleeps.delete(sleep))
    })
  }

  /** Sets the difference of the wall-clock time to the database's. */
  stepTo(ahead: number): void {
    this.ahead = ahead
  }

  /** Ends the sleeps that are due, in the order of their times; returns whether there were any. */
  wakeDue(): boolean {
    const due = [...this.sleeps].filter(({ at }) => at <= this.now()).sort((a, b) => a.at - b.at)
    for (const sleep of due) {
      this.sleeps.delete(sleep)
      sleep.wake()
    }
    return due.length > 0
  }
}
