import { Message, type MessageId } from "@switchboard/domain/messages/Message"
import { DateTime } from "effect"

/** A message as JSON text in its encoded form, as responses contain it. Reads that only return it do not decode it. */
export interface EncodedMessage {
  readonly id: MessageId
  readonly json: string
}

/** A message without fields: the class constructor would copy fifty fields three times. */
export const blankMessage = (): Message => Object.create(Message.prototype)

const instant = (text: string) => DateTime.unsafeFromDate(new Date(text))
const instantOrNull = (text: string | null) => (text === null ? null : instant(text))

/** Decodes a message that the store encoded, without validation. Only its times differ from their encoded form. */
export const decodeMessage = ({ json }: EncodedMessage): Message => {
  const encoded: typeof Message.Encoded = JSON.parse(json)
  return Object.assign(blankMessage(), encoded, {
    scheduledAt: instantOrNull(encoded.scheduledAt),
    createdAt: instant(encoded.createdAt),
    sentAt: instantOrNull(encoded.sentAt),
    deliveredAt: instantOrNull(encoded.deliveredAt),
    readAt: instantOrNull(encoded.readAt),
    failedAt: instantOrNull(encoded.failedAt),
    lastAttemptAt: instantOrNull(encoded.lastAttemptAt),
    updatedAt: instant(encoded.updatedAt)
  })
}
