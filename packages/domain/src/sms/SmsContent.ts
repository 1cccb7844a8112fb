import { Schema } from "effect"
import { choice } from "../Fields.js"
import { TimestampText } from "../Timestamp.js"

/** The encodings of text messages: GSM 03.38 with its extension table (7 bits), and UCS-2 (16 bits). */
export const SmsEncoding = choice("gsm7", "ucs2").annotations({ identifier: "SmsEncoding" })
export type SmsEncoding = typeof SmsEncoding.Type

/** The content of a text message. */
export const SmsContent = Schema.Struct({
  text: Schema.String,
  from: Schema.String.annotations({ description: "the number or sender id that sends the message" }),
  encoding: SmsEncoding,
  segments: Schema.Int.annotations({ description: "the number of messages that the text is split into" }),
  templateId: Schema.optional(Schema.String),
  templateVersion: Schema.optional(Schema.Int.annotations({ description: "the version of the rendered template" })),
  erasedAt: Schema.optional(
    TimestampText.annotations({ description: "the time at which the text was erased by the operator" })
  )
}).annotations({ identifier: "SmsContent" })
export type SmsContent = typeof SmsContent.Type
