import { FiberRef, GlobalValue } from "effect"

/** The factor of the time limits for the database. No setting changes it: tests set it to the speed of their machine. */
export const databaseTimeFactor = GlobalValue.globalValue("services/databaseTimeFactor", () => 1)

/** The total time that one request waits for the database and other stores, in milliseconds. */
export const requestTimeout = 2_500 * databaseTimeFactor

/** Measures the time that a request has waited. Simultaneous waits count once; computing time does not count. */
export class RequestDeadline {
  private waited = 0
  private waits = 0
  private since = 0

  constructor(private readonly timeout = requestTimeout) {}

  /** The remaining time, in milliseconds. */
  left(): number {
    return this.timeout - this.waited - (this.waits > 0 ? performance.now() - this.since : 0)
  }

  /** Starts a wait. */
  begin(): void {
    if (this.waits++ === 0) this.since = performance.now()
  }

  /** Ends a wait. */
  end(): void {
    if (--this.waits === 0) this.waited += performance.now() - this.since
  }
}

/**
 * The deadline of the request that a fiber serves; null outside requests and in streams, where each wait has its own
 * timeout.
 */
export const requestDeadline: FiberRef.FiberRef<RequestDeadline | null> = GlobalValue.globalValue(
  "services/RequestDeadline",
  () => FiberRef.unsafeMake<RequestDeadline | null>(null)
)
