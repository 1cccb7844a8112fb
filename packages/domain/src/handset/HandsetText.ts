import { Schema } from "effect"
import { AttachmentId } from "../attachments/UploadedAttachment.js"
import { choice } from "../Fields.js"
import { MessageId } from "../messages/Message.js"
import { SmsEncoding } from "../sms/SmsContent.js"
import { text } from "../Text.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const HandsetTextId = Uuid.pipe(Schema.brand("HandsetTextId"))
export type HandsetTextId = typeof HandsetTextId.Type

/** The channels of the local handset. */
export const HandsetChannel = choice("sms", "whatsapp").annotations({ identifier: "HandsetChannel" })
export type HandsetChannel = typeof HandsetChannel.Type

const encoding = Schema.NullOr(SmsEncoding).annotations({ description: "the encoding; null for WhatsApp" })

const segments = Schema.NullOr(Schema.Int).annotations({
  description: "the number of messages that the text was split into; null for WhatsApp"
})

/** A text that the local handset received, with its parts joined. */
export class HandsetText extends Schema.Class<HandsetText>("HandsetText")({
  id: HandsetTextId,
  channel: HandsetChannel,
  from: Schema.String.annotations({ description: "the number or sender id that sent the text" }),
  to: Schema.String.annotations({ description: "the phone that received the text" }),
  text: Schema.String.annotations({
    description:
      "the text; for WhatsApp that of the message, the name of the template, or the caption or kind of the file"
  }),
  encoding,
  segments,
  request: Schema.NullOr(Schema.Unknown).annotations({
    description: "the request to the Cloud API that sent a WhatsApp message; null for a text message"
  }),
  receivedAt: Timestamp,
  messageId: Schema.NullOr(MessageId).annotations({ description: "the message that was sent; null if it is unknown" })
}) {}

/** A text of a phone to the number that sent it a text. */
export const HandsetReply = Schema.Struct({
  text: text(1, 1_000).annotations({ description: "the text of the reply, or the caption of its file" }),
  attachmentId: Schema.optional(AttachmentId)
}).annotations({ identifier: "HandsetReply" })
export type HandsetReply = typeof HandsetReply.Type

/** The reply, as the service accepted it over SMPP or by a callback. */
export class HandsetAnswer extends Schema.Class<HandsetAnswer>("HandsetAnswer")({
  from: Schema.String.annotations({ description: "the phone that sent the reply" }),
  to: Schema.String.annotations({ description: "the number that received the reply" }),
  channel: HandsetChannel,
  text: Schema.String,
  encoding,
  segments
}) {}

/** The id that the local handset gives to a message, as a provider. */
export const handsetProviderId = (channel: HandsetChannel, id: string): string =>
  channel === "sms" ? id : `wamid.${id}`
