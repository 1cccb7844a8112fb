import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EventId, EventType } from "@switchboard/domain/events/EventType"
import type { Message } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect, type Option } from "effect"
import type { StoredEvent } from "./StoredEvent.js"

/** Where a reader is: after this event, in the order in which events can be read without a gap. */
export interface EventPosition {
  /** Of the transaction that wrote the event: ids alone are made before their transactions end. */
  readonly transaction: string
  readonly id: EventId
}

/** What came next. */
export interface EventPage {
  /** In their order, each with the message that it needs: null if it needs none, or if that was deleted. */
  readonly events: ReadonlyArray<{ readonly event: StoredEvent; readonly message: Message | null }>
  /** After all that was read, the events that nobody wants too. */
  readonly position: EventPosition | null
  /** Whether there was more to read than the limit. */
  readonly isFull: boolean
}

/** Events in one order that everybody reads alike, and in which nothing comes late. */
export class EventRepo extends Context.Tag("services/EventRepo")<
  EventRepo,
  {
    /** What follows a position, or the first of all events: at most `limit`, of which those that are wanted are told. */
    readonly after: (
      organization: OrganizationId,
      position: EventPosition | null,
      limit: number,
      wants: (type: EventType) => boolean
    ) => Effect.Effect<EventPage, ServiceUnavailableError>
    /** The newest event before which nothing is missing; null while there is none. What it leaves out comes after it. */
    readonly position: (organization: OrganizationId) => Effect.Effect<EventPosition | null, ServiceUnavailableError>
    /** Where somebody goes on who has heard this event. */
    readonly positionOf: (
      organization: OrganizationId,
      id: EventId
    ) => Effect.Effect<Option.Option<EventPosition>, ServiceUnavailableError>
  }
>() {}
