import { Schema } from "effect"
import {
  AttachmentContent,
  AttachmentName,
  AttachmentType,
  attachmentsLimitBytes,
  decodedLength
} from "../messages/Attachment.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const AttachmentId = Uuid.pipe(Schema.brand("AttachmentId"))
export type AttachmentId = typeof AttachmentId.Type

/** A file that drafts can refer to, without its content. */
export class UploadedAttachment extends Schema.Class<UploadedAttachment>("UploadedAttachment")({
  id: AttachmentId,
  filename: Schema.String,
  contentType: Schema.String,
  size: Schema.Int.annotations({ description: "the size in bytes" }),
  createdAt: Timestamp
}) {}

/** A file to store for drafts, in base64. */
export const UploadAttachment = Schema.Struct({
  filename: AttachmentName,
  contentType: AttachmentType,
  content: AttachmentContent.pipe(
    Schema.filter((content) => decodedLength(content) <= attachmentsLimitBytes || "must be at most 25 MiB")
  )
}).annotations({ identifier: "UploadAttachment" })
export type UploadAttachment = typeof UploadAttachment.Type
