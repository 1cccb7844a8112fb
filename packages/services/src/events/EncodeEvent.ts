import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import { withinEventSize } from "@switchboard/domain/events/EventSize"
import type { Message } from "@switchboard/domain/messages/Message"
import { messageAsOf } from "@switchboard/domain/messages/state/MessageAsOf"
import { MessageEventData } from "@switchboard/domain/messages/state/MessageEventData"
import { DateTime, Effect, Schema } from "effect"
import { readableRows } from "../ReadableRows.js"
import type { StoredEvent } from "./StoredEvent.js"

const encodeMessage = Schema.encodeSync(MessageEventData)

/** Whether an event keeps only a step of its message, whose rest is in the message. */
export const needsMessage = (type: string): boolean => type.startsWith("message.") && type !== "message.deleted"

/** An event as subscribers get it; null when it is about a message that was deleted since: of that nothing is told. */
export const encodeEvent = (
  { at, data, id, organizationId, type }: StoredEvent,
  message: Message | null
): EncodedEvent | null => {
  const told = (of: unknown): EncodedEvent => ({
    id,
    type,
    timestamp: DateTime.formatIso(at),
    organizationId,
    data: withinEventSize(of)
  })
  if (!needsMessage(type)) return told(data)
  return message === null ? null : told(encodeMessage(messageAsOf(message, data)))
}

/** Events as subscribers get them, without those whose message was deleted. */
export const encodeEvents = (
  found: ReadonlyArray<{ readonly event: StoredEvent; readonly message: Message | null }>
): Effect.Effect<ReadonlyArray<EncodedEvent>> =>
  Effect.map(
    readableRows(found, ({ event, message }) => encodeEvent(event, message)),
    (encoded) => encoded.filter((event) => event !== null)
  )
