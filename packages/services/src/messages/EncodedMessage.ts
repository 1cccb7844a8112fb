import { Message, type MessageId } from "@switchboard/domain/messages/Message"
import { DateTime } from "effect"

/** A message as JSON text in its encoded form, as responses contain it. Reads that only return it do not decode it. */
export interface EncodedMessage {
  readonly id: MessageId
  readonly json: string
}

type Time =
  | "scheduledAt"
  | "createdAt"
  | "sentAt"
  | "deliveredAt"
  | "readAt"
  | "failedAt"
  | "lastAttemptAt"
  | "updatedAt"

const instant = (text: string) => DateTime.unsafeFromDate(new Date(text))
const instantOrNull = (text: string | null) => (text === null ? null : instant(text))

/** The fields of an encoded message. */
export const encodedFields = ({ json }: EncodedMessage): typeof Message.Encoded => JSON.parse(json)

/**
 * Decodes a message that the store encoded, without validation. Only its times differ from their encoded form. The class
 * constructor would copy fifty fields three times, and `Object.assign` would make a dictionary of them.
 */
export const decodeMessage = ({ json }: EncodedMessage): Message => {
  const encoded: Omit<Message, Time> & Pick<typeof Message.Encoded, Time> = JSON.parse(json)
  const times = {
    scheduledAt: instantOrNull(encoded.scheduledAt),
    createdAt: instant(encoded.createdAt),
    sentAt: instantOrNull(encoded.sentAt),
    deliveredAt: instantOrNull(encoded.deliveredAt),
    readAt: instantOrNull(encoded.readAt),
    failedAt: instantOrNull(encoded.failedAt),
    lastAttemptAt: instantOrNull(encoded.lastAttemptAt),
    updatedAt: instant(encoded.updatedAt)
  }
  const message = { __proto__: Message.prototype, ...encoded, ...times }
  return message
}
