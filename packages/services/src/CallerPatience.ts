import { FiberRef, GlobalValue } from "effect"

/** How long a caller is kept waiting for one thing, in milliseconds, and for all that a request asks for together. */
export const longestWait = 2_500
const longestInAll = 3_000

/**
 * What one caller has waited for things that may not answer: for one after the other, or for several at the same time.
 * Whoever has waited nearly in vain for the first must not wait as long for the second.
 */
export class CallerPatience {
  private waited = 0
  private waitsFor = 0
  private since = 0

  constructor(private readonly most = longestInAll) {}

  /** How much longer the caller waits, in milliseconds. */
  left(): number {
    return this.most - this.waited - (this.waitsFor > 0 ? performance.now() - this.since : 0)
  }

  /** The caller waits for something more. */
  begin(): void {
    if (this.waitsFor++ === 0) this.since = performance.now()
  }

  /** One of the things has come, or is given up. */
  end(): void {
    if (--this.waitsFor === 0) this.waited += performance.now() - this.since
  }
}

/** The patience of whoever waits for this fiber; null where nobody does, or where what is asked takes its time. */
export const callerPatience: FiberRef.FiberRef<CallerPatience | null> = GlobalValue.globalValue(
  "services/CallerPatience",
  () => FiberRef.unsafeMake<CallerPatience | null>(null)
)
