import { FiberRef, GlobalValue } from "effect"

/** How long one request waits for the database and other stores, all its waits together, in milliseconds. */
export const requestTimeout = 2_500

/** Counts what a request has waited. Waits at the same time count once; what the process itself computes does not. */
export class RequestDeadline {
  private waited = 0
  private waits = 0
  private since = 0

  constructor(private readonly timeout = requestTimeout) {}

  /** How much longer the request waits, in milliseconds. */
  left(): number {
    return this.timeout - this.waited - (this.waits > 0 ? performance.now() - this.since : 0)
  }

  /** One more wait begins. */
  begin(): void {
    if (this.waits++ === 0) this.since = performance.now()
  }

  /** A wait has ended. */
  end(): void {
    if (--this.waits === 0) this.waited += performance.now() - this.since
  }
}

/** The deadline of the request that a fiber serves; null outside requests and in streams, where each wait counts alone. */
export const requestDeadline: FiberRef.FiberRef<RequestDeadline | null> = GlobalValue.globalValue(
  "services/RequestDeadline",
  () => FiberRef.unsafeMake<RequestDeadline | null>(null)
)
