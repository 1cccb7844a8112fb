import { Data, type Duration } from "effect"
import type { ToldEvent } from "./SwitchboardEvent.js"

/** What becomes known while events are followed. */
export type FeedItem =
  | ({ readonly _tag: "Told" } & ToldEvent)
  /** The connection stands, after this event. */
  | { readonly _tag: "Standing"; readonly id: string }
  /** It was lost, or could not be made; it is tried again after the wait. */
  | { readonly _tag: "Lost"; readonly reason: string; readonly wait: Duration.Duration }

/** A connection that may be tried again. */
export class ConnectionLost extends Data.TaggedError("ConnectionLost")<{
  readonly reason: string
  /** What the service asks to wait. */
  readonly retryAfter?: Duration.Duration
}> {}
