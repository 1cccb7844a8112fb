import type { FieldsBySchema } from "./CommonFields.js"

const encoding = "Encoding: `gsm7` (GSM 03.38, 7 bits) or `ucs2` (16 bits)."

/** Fields of the local handset. */
export const handsetFields: FieldsBySchema = {
  HandsetText: {
    channel: "`sms` or `whatsapp`.",
    encoding,
    from: "Number or sender id that sent the text.",
    id: "Id of the text, also its id at the provider.",
    messageId: "Id of the message that was sent. Null: unknown.",
    receivedAt: "Time of receipt (UTC).",
    request: "Body of the request to the Cloud API that sent a WhatsApp message. Null for a text message.",
    segments: "Number of segments that the text was sent in.",
    text: "The text, with its parts joined.",
    to: "Phone number that received the text."
  },
  HandsetReply: {
    attachmentId: "Id of an uploaded file to reply with, over WhatsApp only. Default: none.",
    text: "Text of the reply, or the caption of its file, 1 to 1,000 characters."
  },
  HandsetAnswer: {
    channel: "`sms` or `whatsapp`.",
    encoding,
    from: "Phone number that sent the reply.",
    segments: "Number of segments that the reply was sent in.",
    text: "Text of the reply.",
    to: "Number that received the reply."
  }
}
