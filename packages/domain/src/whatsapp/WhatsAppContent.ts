import { Schema } from "effect"
import { AttachmentId } from "../attachments/UploadedAttachment.js"
import { choice } from "../Fields.js"
import { TimestampText } from "../Timestamp.js"

/** The kinds of media that WhatsApp sends and receives. */
export const MediaKind = choice("image", "audio", "video", "document", "sticker").annotations({
  identifier: "WhatsAppMediaKind"
})
export type MediaKind = typeof MediaKind.Type

/** A template that Meta approved, with the values of its placeholders. */
export const WhatsAppTemplateContent = Schema.Struct({
  name: Schema.String,
  language: Schema.String,
  components: Schema.optional(Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown })))
}).annotations({ identifier: "WhatsAppTemplateContent" })
export type WhatsAppTemplateContent = typeof WhatsAppTemplateContent.Type

const optionalText = (description: string) => Schema.optional(Schema.String.annotations({ description }))

/** The parts that a WhatsApp message can have. A sent message has one of text, template and media. */
const parts = {
  text: Schema.optional(
    Schema.Struct({
      body: Schema.String.annotations({ description: "the text, or the label of the button that was pressed" }),
      previewUrl: Schema.optional(Schema.Boolean)
    })
  ),
  template: Schema.optional(WhatsAppTemplateContent),
  media: Schema.optional(
    Schema.Struct({
      kind: MediaKind,
      contentType: Schema.String,
      attachmentId: Schema.optional(AttachmentId),
      mediaId: optionalText("the provider's id of a received file"),
      filename: Schema.optional(Schema.String),
      size: Schema.optional(Schema.Int.annotations({ description: "the size in bytes" })),
      caption: Schema.optional(Schema.String),
      downloadError: optionalText("why a received file is not stored")
    })
  ),
  location: Schema.optional(
    Schema.Struct({
      latitude: Schema.Number,
      longitude: Schema.Number,
      name: Schema.optional(Schema.String),
      address: Schema.optional(Schema.String)
    })
  ),
  reaction: Schema.optional(
    Schema.Struct({
      emoji: optionalText("the emoji; omitted if the reaction was removed")
    })
  ),
  unsupported: Schema.optional(
    Schema.Struct({ type: Schema.String.annotations({ description: "the provider's name of the kind of message" }) })
  )
}

/** What a WhatsApp message consists of. */
export const WhatsAppParts = Schema.Struct(parts)
export type WhatsAppParts = typeof WhatsAppParts.Type

/** The content of a WhatsApp message. */
export const WhatsAppContent = Schema.Struct({
  from: Schema.String.annotations({ description: "the number that sends the message" }),
  ...parts,
  templateId: Schema.optional(Schema.String),
  templateVersion: Schema.optional(Schema.Int),
  erasedAt: Schema.optional(
    TimestampText.annotations({ description: "the time at which the content was erased by the operator" })
  )
}).annotations({ identifier: "WhatsAppContent" })
export type WhatsAppContent = typeof WhatsAppContent.Type

/** The size limits of the Cloud API in bytes. */
const maxBytes: Readonly<Record<MediaKind, number>> = {
  image: 5 * 1024 * 1024,
  audio: 16 * 1024 * 1024,
  video: 16 * 1024 * 1024,
  document: 100 * 1024 * 1024,
  sticker: 500 * 1024
}

const kinds: ReadonlyMap<string, MediaKind> = new Map<string, MediaKind>([
  ["image/jpeg", "image"],
  ["image/png", "image"],
  ["image/webp", "sticker"],
  ["audio/aac", "audio"],
  ["audio/amr", "audio"],
  ["audio/mpeg", "audio"],
  ["audio/mp4", "audio"],
  ["audio/ogg", "audio"],
  ["video/3gpp", "video"],
  ["video/mp4", "video"]
])

/** The kind in which the Cloud API sends a file of a media type: other types are documents. */
export const mediaKindOf = (contentType: string): MediaKind =>
  kinds.get(contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "") ?? "document"

/** The problem of a file that the Cloud API would refuse for its size; null if there is none. */
export const mediaSizeProblem = (kind: MediaKind, size: number): string | null =>
  size <= maxBytes[kind] ? null : `must be a file of at most ${maxBytes[kind] / 1024} KiB, since it is sent as ${kind}`

/** The WhatsApp id of a number (E.164). */
export const waIdOf = (number: string): string => number.replace("+", "")

/** A line that stands for the content: its text, its caption, or its kind. */
export const lineOf = ({
  location,
  media,
  reaction,
  template,
  text,
  unsupported
}: typeof WhatsAppParts.Encoded): string =>
  text?.body ??
  media?.caption ??
  media?.filename ??
  media?.kind ??
  template?.name ??
  location?.name ??
  reaction?.emoji ??
  (location === undefined ? (unsupported?.type ?? "") : `${location.latitude}, ${location.longitude}`)
