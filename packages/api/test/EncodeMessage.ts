import type { Message } from "@switchboard/domain/messages/Message"
import type { EncodedMessage } from "@switchboard/services/messages/MessageRepo"

/** Encodes a message as the store does. */
export const encodeMessage = (message: Message): EncodedMessage => ({ id: message.id, json: JSON.stringify(message) })
