import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import { withinEventSize } from "@switchboard/domain/events/EventSize"
import type { EventId, EventType } from "@switchboard/domain/events/EventType"
import type { Message } from "@switchboard/domain/messages/Message"
import { messageAsOf } from "@switchboard/domain/messages/state/MessageAsOf"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import { readableRows } from "../ReadableRows.js"

/** A stored event in the outbox. */
export interface StoredEvent {
  readonly id: EventId
  readonly organizationId: OrganizationId
  readonly type: EventType
  readonly subjectId: string
  /**
   * The data of the event. An event of a message stores only the change of its status; the rest is read from the
   * message.
   */
  readonly data: unknown
  readonly at: DateTime.Utc
}

/** Whether an event stores only the change of its message. The rest is read from the message. */
export const needsMessage = (type: string): boolean => type.startsWith("message.") && type !== "message.deleted"

/** The wire form of an event; null if it describes a message that was deleted. */
export const encodeEvent = (
  { at, data, id, organizationId, type }: StoredEvent,
  message: typeof Message.Encoded | null
): EncodedEvent | null => {
  const eventWith = (value: unknown): EncodedEvent => ({
    id,
    type,
    timestamp: DateTime.formatIso(at),
    organizationId,
    data: withinEventSize(value)
  })
  if (!needsMessage(type)) return eventWith(data)
  return message === null ? null : eventWith(messageAsOf(message, data))
}

/** The wire form of events. Events of deleted messages are omitted. */
export const encodeEvents = (
  found: ReadonlyArray<{ readonly event: StoredEvent; readonly message: typeof Message.Encoded | null }>
): Effect.Effect<ReadonlyArray<EncodedEvent>> =>
  Effect.map(
    readableRows(found, ({ event, message }) => encodeEvent(event, message)),
    (encoded) => encoded.filter((event) => event !== null)
  )
