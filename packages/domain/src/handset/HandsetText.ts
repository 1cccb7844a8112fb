import { Schema } from "effect"
import { MessageId } from "../messages/Message.js"
import { SmsEncoding } from "../sms/SmsContent.js"
import { text } from "../Text.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const HandsetTextId = Uuid.pipe(Schema.brand("HandsetTextId"))
export type HandsetTextId = typeof HandsetTextId.Type

const segments = Schema.Int.annotations({ description: "the number of messages that the text was split into" })

/** A text that the local handset received, with its parts joined. */
export class HandsetText extends Schema.Class<HandsetText>("HandsetText")({
  id: HandsetTextId,
  from: Schema.String.annotations({ description: "the number or sender id that sent the text" }),
  to: Schema.String.annotations({ description: "the phone that received the text" }),
  text: Schema.String,
  encoding: SmsEncoding,
  segments,
  receivedAt: Timestamp,
  messageId: Schema.NullOr(MessageId).annotations({ description: "the message that was sent; null if it is unknown" })
}) {}

/** A text of a phone to the number that sent it a text. */
export const HandsetReply = Schema.Struct({
  text: text(1, 1_000).annotations({ description: "the text of the reply" })
}).annotations({ identifier: "HandsetReply" })
export type HandsetReply = typeof HandsetReply.Type

/** The reply, as the service accepted it over SMPP. */
export class HandsetAnswer extends Schema.Class<HandsetAnswer>("HandsetAnswer")({
  from: Schema.String.annotations({ description: "the phone that sent the reply" }),
  to: Schema.String.annotations({ description: "the number that received the reply" }),
  text: Schema.String,
  encoding: SmsEncoding,
  segments
}) {}
