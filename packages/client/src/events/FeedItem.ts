import { Data, type Duration } from "effect"
import type { ServerSentEvent } from "./SwitchboardEvent.js"

/** An item of the feed: an event, or a change of the connection. */
export type FeedItem =
  | ({ readonly _tag: "Event" } & ServerSentEvent)
  /** The connection is open, at the position after this event id. */
  | { readonly _tag: "Connected"; readonly id: string }
  /** The connection was lost or failed; it is retried after the wait. */
  | { readonly _tag: "Lost"; readonly reason: string; readonly wait: Duration.Duration }

/** A connection that failed and can be retried. */
export class ConnectionLost extends Data.TaggedError("ConnectionLost")<{
  readonly reason: string
  /** The wait that the service requests. */
  readonly retryAfter?: Duration.Duration
}> {}
