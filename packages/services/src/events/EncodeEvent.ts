import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import { withinEventSize } from "@switchboard/domain/events/EventSize"
import type { Message } from "@switchboard/domain/messages/Message"
import { messageAsOf } from "@switchboard/domain/messages/state/MessageAsOf"
import { DateTime, Effect } from "effect"
import { readableRows } from "../ReadableRows.js"
import type { StoredEvent } from "./StoredEvent.js"

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
