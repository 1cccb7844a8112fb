import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EventId, EventType } from "@switchboard/domain/events/EventType"
import type { Message } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect, type Option } from "effect"
import type { StoredEvent } from "./StoredEvent.js"

/** A position in the order of events, which has no gaps. */
export interface EventPosition {
  /** Of the batch that the event was written in, counted by organization in the order of commits. */
  readonly batch: string
  readonly id: EventId
}

/** A page of events. */
export interface EventPage {
  /** In order, each with the message that it describes: null if it describes none, or if the message was deleted. */
  readonly events: ReadonlyArray<{ readonly event: StoredEvent; readonly message: typeof Message.Encoded | null }>
  /** The position after all events read, including those filtered out. */
  readonly position: EventPosition | null
  /** Whether the limit was reached. */
  readonly isFull: boolean
}

/** Reads events in one order without gaps: an event never appears before a position that was read. */
export class EventRepo extends Context.Tag("services/EventRepo")<
  EventRepo,
  {
    /**
     * Reads up to `limit` events after a position, or from the first event, and returns those with a type that
     * `accepts` returns true for.
     */
    readonly after: (
      organization: OrganizationId,
      position: EventPosition | null,
      limit: number,
      accepts: (type: EventType) => boolean
    ) => Effect.Effect<EventPage, ServiceUnavailableError>
    /** The position of the newest event without a gap before it; null if there are no events. */
    readonly position: (organization: OrganizationId) => Effect.Effect<EventPosition | null, ServiceUnavailableError>
    /** The position of an event, to resume after it. */
    readonly positionOf: (
      organization: OrganizationId,
      id: EventId
    ) => Effect.Effect<Option.Option<EventPosition>, ServiceUnavailableError>
  }
>() {}
